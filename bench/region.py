"""A region of the lobby without a log: commands decided and folded one after another, with a punctual timer."""

from bus.decider import Context
from contracts.envelope import Refusal, TimeOut
from contracts.region import LeaveQueue, MatchMade, RegionCommand
from lobby.region.decide import deadline, decide
from lobby.region.state import Lobby, evolve


class Region:
    """`matches` are those made so far, each with its log time in ms."""

    def __init__(self, lobby: Lobby | None = None) -> None:
        self.lobby = lobby or Lobby()
        self.matches: list[tuple[int, MatchMade]] = []
        self._commands = 0

    def send(self, principal: str, command: RegionCommand, at: int) -> None:
        """A command, after all that falls due before it. Raises `RuntimeError` where it is refused."""
        self.wait(at)
        self._decide(principal, command, at)

    def wait(self, until: int) -> None:
        """Lets everything happen that falls due before `until`."""
        while (due := deadline(self.lobby)) is not None and due.due_at < until:
            self._decide("timer", TimeOut(kind=due.kind, ref=due.ref), due.due_at + 1)

    def leave(self, account: str, at: int) -> bool:
        """Somebody has had enough; False for somebody who has no ticket any more."""
        self.wait(at)
        if account not in self.lobby.queue:
            return False
        self._decide(account, LeaveQueue(), at)
        return True

    def _decide(self, principal: str, command: RegionCommand, at: int) -> None:
        self._commands += 1
        context = Context("eu", principal, "c", False, at, at, self._commands.to_bytes(32, "big"))
        result = decide(self.lobby, command, context)
        if isinstance(result, Refusal):
            raise RuntimeError(result.message)
        for event in result:
            self.lobby = evolve(self.lobby, event)
            if isinstance(event, MatchMade):
                self.matches.append((at, event))
