import json

from tests.domino_rules.golden import FOLDER, golden_match
from tests.domino_rules.matches import VARIANTS

for variant in VARIANTS:
    file = FOLDER / f"{variant}.jsonl"
    if not file.exists():
        file.write_text("".join(json.dumps(event.to_json()) + "\n" for event in golden_match(variant)))
