"""The operators' tool that passes commands over: the only writer of `CommandsSkipped`."""
