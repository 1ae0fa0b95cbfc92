"""The parts of the lobby's process: the decider, and what follows from its events and from the life of tables."""

from bus.follower import TopicFollower
from bus.parts import kafka_parts
from bus.policies import PolicyRunner
from bus.process import Process
from bus.runtime import DeciderRuntime
from bus.sender import LetterSender
from bus.settings import BusSettings
from bus.snapshots import SNAPSHOT_SECONDS
from lobby.decider import LobbyDecider
from lobby.handlers import lifecycle_record, lobby_outcome


def build(settings: BusSettings) -> Process:
    log, parts = kafka_parts(settings)
    decider = DeciderRuntime(LobbyDecider(), parts, settings.session_ms, SNAPSHOT_SECONDS)
    sender = LetterSender(log, "lobby-policies", ["table.commands", "lobby.commands", "lobby.dead"])
    matches = PolicyRunner(parts, "lobby-policies", "lobby.events", lobby_outcome, sender)
    lives = TopicFollower(parts, "lobby-lifecycle", "table.lifecycle", lifecycle_record, sender, consumer="lobby")

    async def caught_up() -> bool:
        return decider.ready and matches.ready and lives.ready

    return Process(
        name="lobby",
        start=(log.wait_for_brokers, sender.start, decider.start, matches.start, lives.start),
        loops=(decider.run, matches.run, lives.run),
        stop=(decider.stop, matches.stop, lives.stop, sender.stop, log.close),
        progress={"decider": decider.progress, "matches": matches.progress, "lives": lives.progress},
        checks={"kafka": log.answers, "caught-up": caught_up},
    )
