"""The gateway's parts."""

from fastapi import FastAPI

from bus.health import Progress
from bus.parts import kafka_parts
from bus.process import Process, Step
from bus.sender import CommandSender
from bus.tail import Tail
from gateway.absences import Absences
from gateway.accounts import Accounts
from gateway.answers import Answers
from gateway.api import create_api
from gateway.client_address import ClientAddress
from gateway.commands import Commands
from gateway.company import Company
from gateway.feed import Feed
from gateway.guests import guest_routes
from gateway.history import History
from gateway.hub import Hub
from gateway.identity import ScreenTokens, Tokens
from gateway.kept_answers import KeptAnswers
from gateway.limits import Limits
from gateway.links import Links
from gateway.live_cache import LiveCache
from gateway.name_routes import name_routes
from gateway.pace import Pace
from gateway.past import Origin, Past
from gateway.presence import Presence
from gateway.public import Public
from gateway.queue import Lobby
from gateway.reading import Reading
from gateway.replays import replay_routes
from gateway.room_codes import RoomCodes
from gateway.room_commands import RoomCommands
from gateway.room_places import RoomPlaces
from gateway.room_routes import room_routes
from gateway.screen_routes import screen_routes
from gateway.server import WebServer
from gateway.session import Desk
from gateway.settings import GatewaySettings
from gateway.sockets import Door
from gateway.tables import Tables
from gateway.valkey import connected
from gateway.web_client import WebClient
from gateway.whereabouts import Whereabouts


def build(settings: GatewaySettings) -> Process:
    """Reads all logs, then opens the door."""
    return assemble(settings)[1]


def assemble(settings: GatewaySettings) -> tuple[FastAPI, Process]:
    """The API too, for whoever describes it: nothing of it runs before the process is started."""
    log, parts = kafka_parts(settings)
    clock, time, tasks = parts.clock, parts.time, parts.tasks
    progress = Progress(clock)
    senders = {"table": CommandSender(log, "table"), "lobby": CommandSender(log, "lobby")}
    redis = connected(settings.redis_url)
    accounts = Accounts.of(settings, log, parts)

    def origin_of(table_id: str) -> Origin:  # the ring of parts is closed here: what is read leads to the past of it
        return reading.origin(table_id)

    cache, history = LiveCache(redis), History(log, clock, tasks)
    past = Past(cache, history, origin_of)
    tables, whereabouts, answers = Tables(past, clock, time, tasks), Whereabouts(), Answers()
    hub = Hub(parts.chance, whereabouts.has_seat)
    links = Links(settings.public_url)
    company = Company.of(redis, clock, time, tasks, links, accounts.answers)
    public = Public.of(redis, settings.region, company.names, parts)
    feed = Feed(tables, whereabouts, answers, hub, public.region, company.rooms)
    reading = Reading(log, Tail(parts, feed, progress))
    account_progress = Progress(clock)
    account_reading = accounts.reading(log, parts, hub, company, account_progress)

    signing_key = bytes.fromhex(settings.signing_key.get_secret_value())
    screens, addresses = ScreenTokens(signing_key, settings.region, clock), ClientAddress(settings.proxies)
    tokens = Tokens(accounts.access, screens)
    commands = Commands(senders, answers)
    rooms = company.desk(tables, whereabouts, tasks)
    desk = Desk(tables, whereabouts, commands, clock, time, tasks, rooms, public.followers, Pace(clock))
    door = Door(tokens, hub, desk, addresses, company.merged.players)
    lobby = Lobby(commands, settings.region)
    absences = public.absences(hub, lobby, parts)
    room_commands = RoomCommands(commands, company.rooms, RoomCodes(signing_key), settings.region)
    # with a name of its own: who has no place in the region any more may still be in a room
    presence = Presence(redis, settings.region, parts.entropy(8).hex())
    in_rooms = RoomPlaces(company.rooms, hub)
    room_absences = Absences(in_rooms, hub, presence, room_commands.note, clock, time, tasks)

    routers = (
        guest_routes(accounts.newcomers, whereabouts, company.merged, time),
        *public.routes(lobby, whereabouts, company.merged),
        replay_routes(tables, past, time, company.merged),
        room_routes(company.rooms, company.admission, room_commands, addresses, links),
        screen_routes(company.screens, company.rooms, company.admission, screens, addresses),
        name_routes(company.names, company.mutes, accounts.service),
        *accounts.routes(links, settings.region, company.merged, public.finished),
    )
    kept = KeptAnswers(redis, signing_key, clock)
    api = create_api(tokens, Limits(redis, addresses, clock), kept, door, WebClient(settings.web_client), routers)
    https = (settings.public_url or "").startswith("https:")
    server = WebServer(
        api, hub, addresses, settings.gateway_host, settings.gateway_port, settings.leave_seconds, https=https
    )

    async def caught_up() -> None:
        await reading.caught_up.wait()
        await account_reading.caught_up.wait()

    async def serve() -> None:
        await caught_up()
        await server.run()

    def when_caught_up(loop: Step) -> Step:
        async def run() -> None:
            await caught_up()
            await loop()

        return run

    async def accepting() -> bool:
        return server.accepting

    starts = (*(sender.start for sender in (*senders.values(), accounts.sender)), reading.start, account_reading.start)
    ends = (
        server.stop,
        absences.stop,
        room_absences.stop,
        tables.stop,
        history.stop,
        reading.stop,
        account_reading.stop,
        accounts.stop,
        *(sender.stop for sender in senders.values()),
    )
    looks = tuple(when_caught_up(loop) for loop in (*public.loops(hub, absences, parts), room_absences.run))
    return api, Process(
        name="gateway",
        start=(server.start, log.wait_for_brokers, *starts),
        loops=(reading.run, account_reading.run, account_reading.watch, serve, company.bells.run, *looks),
        stop=(*ends, cache.stop, log.close),
        progress={"reading": progress, "accounts": account_progress},
        checks={"kafka": log.answers, "accounts": account_reading.hears, "accepting": accepting},
    )
