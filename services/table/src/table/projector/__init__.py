"""The projector: what others see of the table's log, the live cache, `table.lifecycle` and `table.dead`."""
