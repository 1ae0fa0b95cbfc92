"""A private room: one aggregate each, named after its code."""
