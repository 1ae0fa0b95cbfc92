"""The published test vectors: the files hold the questions, and here is what the library answers to each.

`python -m tests.domino_rules.vectors` writes the answers anew; the questions stay.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from domino_rules import Ruleset, shuffle
from domino_rules.actions import Action, PlayTile
from domino_rules.layout_text import parse_layout
from domino_rules.notation import NotationError, hand_text, parse_action, parse_hand, parse_tile, play_text, tile_name
from domino_rules.perft import perft
from domino_rules.reading import Malformed
from domino_rules.runner import run_scenario
from domino_rules.scenario import read_scenario
from domino_rules.shuffle import Deal, Seeds, ShuffleMismatch, verify
from domino_rules.tiles import HIGH, LOW, PIPS, heaviest_first

FOLDER = Path(__file__).parents[3] / "libs" / "domino_rules" / "vectors"
SCENARIOS = sorted((FOLDER / "scenarios").glob("*.json"))
STREAM_BYTES = 64

Case = dict[str, Any]


def read(file: Path) -> list[Case]:
    cases: list[Case] = json.loads(file.read_text())
    return cases


def text_of(cases: list[Case]) -> str:
    """One case a line, so that changes can be looked at."""
    return "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n"


def answered(file: Path) -> list[Case]:
    """The cases of the file with the library's answers of now."""
    answer = answer_scenario if file.parent.name == "scenarios" else ANSWERS[file.stem]
    return [{**question_of(case), "answer": answer(case)} for case in read(file)]


def question_of(case: Case) -> Case:
    return {name: value for name, value in case.items() if name != "answer"}


def answer_scenario(case: Case) -> Case:
    """The result, where a refusal has no message: its wording is no part of the interface."""
    try:
        result = run_scenario(read_scenario(case["scenario"]))
    except Malformed as malformed:
        return {"malformed": str(malformed).split(": ")[0]}
    if "refused" in result:
        result["refused"] = {name: result["refused"][name] for name in ("action", "reason")}
    return result


def answer_notation(case: Case) -> Case | None:
    """What the text says, none when it says nothing."""
    try:
        match case["kind"]:
            case "tile":
                tile = parse_tile(case["text"])
                return {"high": HIGH[tile], "low": LOW[tile], "pips": PIPS[tile]}
            case "hand":
                hand = parse_hand(case["text"])
                return {"tiles": [tile_name(tile) for tile in hand], "heaviest_first": hand_text(heaviest_first(hand))}
            case "action":
                return told_action(parse_action(case["text"]))
            case _:
                return {"plays": [play_text(tile, end) for tile, end in parse_layout(case["text"])]}
    except NotationError:
        return None


def told_action(action: Action) -> Case:
    kind = type(action).__name__.lower()
    if isinstance(action, PlayTile):
        return {"seat": action.seat, "action": "play", "tile": tile_name(action.tile), "end": action.end}
    return {"seat": action.seat, "action": kind}


def answer_shuffle(case: Case) -> Case:
    seeds = seeds_of(case)
    dealt = shuffle.deal(seeds, case["hand_size"])
    message = f"{seeds.table_id}:{seeds.round}:{':'.join(seeds.clients)}"
    blocks = [hmac.digest(seeds.server, f"{message}:{i}".encode(), "sha256") for i in range(STREAM_BYTES // 32)]
    return {
        "commitment": hashlib.sha256(seeds.server).hexdigest(),
        "message_0": f"{message}:0",
        "stream": b"".join(blocks).hex(),
        "hands": [hand_text(hand) for hand in dealt.hands],
        "boneyard": hand_text(dealt.boneyard),
        "lot": dealt.lot,
    }


def answer_verify(case: Case) -> Case | None:
    """The first thing that is wrong with the deal, none when nothing is."""
    hands = tuple([parse_hand(hand) for hand in case["hands"]])
    boneyard, size = parse_hand(case["boneyard"]), case["hand_size"]
    try:
        verify(seeds_of(case), case["commitment"], hands, boneyard, hand_size=size, lot=case["lot"])
    except ShuffleMismatch as wrong:
        names = ("part", "seat", "place", "expected", "got")
        return {name: getattr(wrong, name) for name in names}
    return None


def seeds_of(case: Case) -> Seeds:
    return Seeds(bytes.fromhex(case["server_seed"]), case["table_id"], case["round"], tuple(case["client_seeds"]))


def answer_perft(case: Case) -> list[int]:
    """The counts of depths 1, 2 … as many as are asked for."""
    ruleset = Ruleset.from_json(case["ruleset"])
    hands = tuple([parse_hand(hand) for hand in case["deal"]["hands"]])
    dealt = Deal(hands, parse_hand(case["deal"]["boneyard"]), case["lot"])
    return [perft(ruleset, dealt, depth) for depth in range(1, case["depth"] + 1)]


ANSWERS: dict[str, Callable[[Case], Any]] = {
    "notation": answer_notation,
    "shuffle": answer_shuffle,
    "verify": answer_verify,
    "perft": answer_perft,
}
FILES = [*(FOLDER / f"{name}.json" for name in ANSWERS), *SCENARIOS]
