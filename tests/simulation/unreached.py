"""What no seed can reach, and why: single places that wait, and whole modules."""

PLACES = {
    ("bus.tail", "_take", "self._note_position"): "what is told there of having caught up is heard without waiting",
    ("bus.tail", "_note_position", "caught_up"): "no reader of the product waits when it has caught up",
    ("bus.tail", "gain", "self._note_position"): "what is told there of having caught up is heard without waiting",
    ("bus.tasks", "sleep", "asyncio.sleep"): "production's own sleep: here the simulation lets time pass",
    ("gateway.outbox", "room", "self._roomy"): "the web server waits there before it reads from a socket",
}
"""By module, function, and a part of the code that is at no other place there."""

MODULES = {
    "bus.health": "a web server",
    "bus.held": "for demonstrations and game days",
    "bus.kafka": "the real brokers' clients, tried against these",
    "bus.local": "servers of this machine",
    "bus.process": "signals and status of a real process; the order of its steps is that of `processes`",
    "bus.topics": "makes topics before anything runs",
    "gateway.api": "the web server's",
    "gateway.app": "the web server's",
    "gateway.bells": "Valkey's client",
    "gateway.body_limit": "the web server's",
    "gateway.capacity": "the web server's",
    "gateway.codes_guard": "Valkey's client; nobody here tries a code that is wrong",
    "gateway.mutes": "Valkey's client",
    "gateway.my_tables": "what it waits for is Valkey alone, and it tells nobody but who asks",
    "gateway.name_routes": "what they wait for is Valkey alone, where nothing of it is decided",
    "gateway.names": "Valkey's client",
    "gateway.outcomes": "who waits there waits in `gateway.commands`, which is aimed at",
    "gateway.presence": "Valkey's client; what its commands do is done by `cache`",
    "gateway.private_rooms": "it tells followers of names, screens and talk, which lie in Valkey alone",
    "gateway.replays": "the web server's",
    "gateway.room_session": "follows, talk and screens, which lie in Valkey alone",
    "gateway.screen_routes": "which screen shows what lies in Valkey alone",
    "gateway.screens": "Valkey's client",
    "gateway.server": "the web server's",
    "gateway.sockets": "the web server's",
    "gateway.talk": "Valkey's client",
    "gateway.valkey": "Valkey's client",
    "table.projector.live_cache": "Valkey's client; what its script does is done by `cache`",
}
"""With all that is below them."""
