"""The rules a second time, plain and slow, sharing no code with `domino_rules`: the yardstick of its tests.

Written from the rules alone. `run` answers a scenario with the JSON value that `python -m domino_rules run` should
print, but for the wording of refusals; `start`, `act` and `result_of` do the same step by step.
"""

from .rules import Malformed
from .runner import Refused, act, result_of, run, start

__all__ = ["Malformed", "Refused", "act", "result_of", "run", "start"]
