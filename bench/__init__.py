"""Every figure that the README states, measured again by `python -m bench`."""
