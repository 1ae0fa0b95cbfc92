"""`python -m tests.lobby.seeded_region`: what comes of a thousand commands by a seed, as one hash."""

import hashlib
import json
import sys
from random import Random

from tests.lobby.lobbies import NOON, decided

from contracts.message import Message
from contracts.region import AcceptBots, JoinQueue, NoteAway, NoteBack, NoteRating, Pool, StandBy, WidenTicket
from lobby.region import codec
from lobby.region.state import Lobby

SEED = 3
POOLS = [Pool(preset="draw", seats=seats, target=100, rated=rated) for seats in (2, 3, 4) for rated in (True, False)]


def command(randomness: Random) -> tuple[str, Message]:
    account, pool = f"p{randomness.randrange(400)}", randomness.choice(POOLS)
    match randomness.randrange(12):
        case 0:
            return account, WidenTicket(pool=pool)
        case 1:
            return account, AcceptBots()
        case 2:
            return account, NoteAway()
        case 3:
            return account, NoteBack()
        case 4 | 5:
            return "lobby", NoteRating(account=account, rating=randomness.randrange(1_000, 2_000))
        case 6:
            return f"h{randomness.randrange(30)}", StandBy()
        case 7 | 8:
            group = f"group{randomness.randrange(60):04}"
            return account, JoinQueue(pool=POOLS[int(group[-1]) % 2 + 2], group=group, group_size=2)
        case _:
            return account, JoinQueue(pool=pool, window=400 if pool.rated else 50)


def played() -> str:
    """Events and state, as text."""
    randomness, state, events = Random(SEED), Lobby(), []
    for number in range(1_000):
        principal, message = command(randomness)
        decision = decided(state, principal, message, NOON + 200 * number, number)
        events += [event.model_dump() for event in decision.events]
        state = decision.state or state
    return json.dumps([events, codec.to_json(state)])


if __name__ == "__main__":
    sys.stdout.write(hashlib.sha256(played().encode()).hexdigest())
