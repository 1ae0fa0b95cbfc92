"""The table service: decides every match, and projects it."""
