"""A region: the public queue, and the tables that people offer in its rooms. One aggregate and one writer each."""
