"""How many small mistakes in the core of the rules its quick tests find: mutmut makes them, one at a time.

`python -m tests.domino_rules.mutation` works on a copy in build/mutation. It fails when fewer than nine of ten are
found, or when the mistakes that live are not the ones that `docs/MUTATION.md` shows to change nothing.
"""
