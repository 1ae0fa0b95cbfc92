"""The operators' tool that says which deadlines stand, and which are overdue."""
