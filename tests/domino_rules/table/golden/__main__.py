import json

from tests.domino_rules.table.golden import FOLDER, NAMES, golden_life

from domino_rules import table

for name in NAMES:
    file = FOLDER / f"{name}.jsonl"
    if not file.exists():
        state = None
        lines = []
        for event in golden_life(name):
            state = table.evolve(state, event)
            lines.append(json.dumps(event.to_json()))
        assert state is not None
        lines.append(json.dumps({"state_hash": table.state_hash(state)}))
        file.write_text("\n".join(lines) + "\n")
