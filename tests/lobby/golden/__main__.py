import json

from tests.lobby.golden import FOLDER, SEEDS
from tests.lobby.room_world import whole_life
from tests.lobby.rooms import decider

for name, seed in SEEDS.items():
    file = FOLDER / f"room-{name}.jsonl"
    if not file.exists():
        world = whole_life(seed)
        assert world.state is not None
        bodies = [*map(decider.encode_event, world.events), decider.state_to_json(world.state)]
        file.write_text("".join(json.dumps(body) + "\n" for body in bodies))
