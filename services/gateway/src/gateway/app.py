"""The gateway's parts."""

from redis.asyncio import Redis

from bus.health import Progress
from bus.parts import kafka_parts
from bus.process import Process
from bus.sender import CommandSender
from bus.tail import Tail
from gateway.answers import Answers
from gateway.api import create_api
from gateway.commands import Commands
from gateway.feed import Feed
from gateway.guests import guest_routes
from gateway.history import History
from gateway.hub import Hub
from gateway.identity import Tokens
from gateway.live_cache import LiveCache
from gateway.past import Origin, Past
from gateway.queue import Lobby, queue_routes
from gateway.reading import Reading
from gateway.replays import replay_routes
from gateway.server import WebServer
from gateway.session import Desk
from gateway.settings import GatewaySettings
from gateway.sockets import Door
from gateway.tables import Tables
from gateway.whereabouts import Whereabouts


def build(settings: GatewaySettings) -> Process:
    """Reads both logs, then opens the door."""
    log, parts = kafka_parts(settings)
    clock, time, tasks = parts.clock, parts.time, parts.tasks
    progress = Progress(clock)
    senders = {"table": CommandSender(log, "table"), "lobby": CommandSender(log, "lobby")}
    redis = Redis.from_url(settings.redis_url)

    def origin_of(table_id: str) -> Origin:  # the ring of parts is closed here: what is read leads to the past of it
        return reading.origin(table_id)

    cache, history = LiveCache(redis), History(log, clock, tasks)
    past = Past(cache, history, origin_of)
    tables, whereabouts, answers = Tables(past, clock, time, tasks), Whereabouts(), Answers()
    hub = Hub(parts.chance)
    feed = Feed(tables, whereabouts, answers, hub)
    reading = Reading(log, Tail(parts, feed, progress))

    house_key = settings.house_key.get_secret_value() if settings.house_key else None
    tokens = Tokens(bytes.fromhex(settings.signing_key.get_secret_value()), house_key, clock)
    commands = Commands(senders, answers)
    door = Door(tokens, hub, Desk(tables, whereabouts, commands, clock, time, tasks))
    routers = (
        guest_routes(tokens, whereabouts, time),
        queue_routes(Lobby(commands, settings.region, clock)),
        replay_routes(tables, past, time),
    )
    api = create_api(tokens, door, routers)
    server = WebServer(api, hub, settings.gateway_host, settings.gateway_port, settings.leave_seconds)

    async def serve() -> None:
        await reading.caught_up.wait()
        await server.run()

    async def accepting() -> bool:
        return server.accepting

    start = (server.start, log.wait_for_brokers, *(sender.start for sender in senders.values()), reading.start)
    ends = (server.stop, tables.stop, history.stop, reading.stop, *(sender.stop for sender in senders.values()))
    return Process(
        name="gateway",
        start=start,
        loops=(reading.run, serve),
        stop=(*ends, cache.stop, log.close),
        progress={"reading": progress},
        checks={"kafka": log.answers, "accepting": accepting},
    )
