"""A private room: one aggregate each, named after its code, which is free again a while after the room is closed."""
