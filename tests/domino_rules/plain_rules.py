"""The rule book once more, in the plainest way: strings, lists and one mutable object.

Written from the words of the rules and not from the library, to be held against it on thousands of deals. It is slow
and knows nothing of bad input.
"""

from typing import Any

NAMES = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
ENDS = ("left", "right", "up", "down")
DEFAULTS: dict[str, dict[str, Any]] = {
    "draw": {"drawing": True, "auto": True, "cap": None},
    "block": {"drawing": False, "auto": True, "cap": None},
    "duel-draw": {"drawing": True, "auto": False, "cap": 20},
    "all-fives": {"drawing": True, "auto": False, "cap": 20},
    "party": {"drawing": False, "auto": False, "cap": None},
}


def halves(tile: str) -> tuple[int, int]:
    return int(tile[0]), int(tile[2])


def pips(tiles: list[str]) -> int:
    return sum(sum(halves(tile)) for tile in tiles)


def is_double(tile: str) -> bool:
    return tile[0] == tile[2]


def weight(tile: str) -> tuple[int, int]:
    return sum(halves(tile)), halves(tile)[0]


class PlainRules:
    """Plays one scenario; `events`, `legal()` and the rest are compared with the library's result."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        options = scenario["ruleset"]
        self.preset: str = options["preset"]
        defaults = DEFAULTS[self.preset]
        self.n = len(scenario["deal"]["hands"])
        self.pairs: bool = options.get("pairs", False)
        self.target: int = options.get("target", 100)
        self.drawing: bool = options.get("drawing", defaults["drawing"])
        self.four_ends: bool = options.get("spinner", False)
        self.cap = options.get("round_cap", defaults["cap"])
        self.extra_rounds = options.get("tie_at_cap") == "extra-rounds"
        self.reserve: int = options.get("boneyard_reserve", 0)
        self.stops: bool = options.get("stop_on_dead_end", False)
        self.auto = {"auto": True, "manual": False, None: defaults["auto"]}[scenario.get("forced")]
        self.sides = [[1, 3], [2, 4]] if self.pairs else [[seat] for seat in range(1, self.n + 1)]
        self.scores = list(scenario.get("scores", [0] * len(self.sides)))
        self.round: int = scenario.get("round", 1) - 1
        self.events: list[dict[str, Any]] = []
        self.status = "round-ended"
        self.next_opener: int | None = None
        self.next_forced = self.preset != "all-fives"
        self.deals = list(scenario.get("next_deal", []))
        self.start_round(scenario["deal"], scenario.get("opener"))

    # ---- a round begins

    def start_round(self, deal: dict[str, Any], opener: int | None) -> None:
        self.round += 1
        self.hands = [hand.split() for hand in deal["hands"]]
        self.boneyard = deal.get("boneyard", "").split()
        self.lying: list[tuple[str, str]] = []
        self.ends: dict[str, int] = {}
        self.passes, self.status, self.bound = 0, "playing", None
        by_house = False
        opener = opener or self.next_opener
        if opener is None:
            tiles = [tile for hand in self.hands for tile in hand]
            doubles = [tile for tile in tiles if is_double(tile)]
            self.bound = max(doubles or tiles, key=weight)
            opener = next(seat for seat in range(1, self.n + 1) if self.bound in self.hands[seat - 1])
            by_house = self.preset == "duel-draw"
        self.opener = self.to_move = opener
        if by_house:
            assert self.bound is not None
            self.play(self.bound, "start", {"by": "house"})
        self.go_on()

    # ---- what may be done

    def places(self, tile: str) -> list[str]:
        if not self.lying:
            return ["start"]
        return [end for end in ENDS if end in self.ends and self.ends[end] in halves(tile)]

    def plays(self) -> list[str]:
        hand = [self.bound] if self.bound is not None else self.hands[self.to_move - 1]
        return [f"{tile}@{end}" for tile in sorted(hand, key=weight, reverse=True) for end in self.places(tile)]

    def may_draw(self) -> bool:
        lying = [tile for tile, _ in self.lying]
        dead = all(tile in lying for tile in NAMES if any(number in halves(tile) for number in self.ends.values()))
        return self.drawing and len(self.boneyard) > self.reserve and not (self.stops and dead)

    def legal(self) -> list[str]:
        if self.status != "playing":
            return []
        return self.plays() or (["draw"] if self.may_draw() else ["pass"])

    # ---- what is done

    def act(self, text: str) -> None:
        word = text.split()[1]
        if word == "draw":
            self.draw()
        elif word == "pass":
            self.pass_turn()
        elif word == "timeout":
            if not self.plays() and self.may_draw():
                self.draw()
            if self.plays():
                tile, end = self.plays()[0].split("@")
                self.play(tile, end, {})
            else:
                self.pass_turn()
        elif word == "flag":
            winners = [seat for side in self.sides if self.to_move not in side for seat in side]
            self.end_match("clock", winners)
        else:
            tile, _, end = word.partition("@")
            self.play(tile, end or self.places(tile)[0], {})
        self.go_on()

    def go_on(self) -> None:
        while self.auto and self.status == "playing" and not self.plays():
            if self.may_draw():
                self.draw()
            else:
                self.pass_turn()
        if self.status == "round-ended" and self.deals:
            deal = self.deals.pop(0)
            self.start_round(deal, deal.get("opener"))

    def draw(self) -> None:
        taken: list[str] = []
        while not self.plays() and self.may_draw():
            taken.append(self.boneyard.pop(0))
            self.hands[self.to_move - 1].append(taken[-1])
        self.events.append({"type": "tiles-drawn", "seat": self.to_move, "tiles": " ".join(taken)})

    def pass_turn(self) -> None:
        self.events.append({"type": "passed", "seat": self.to_move})
        self.passes += 1
        last = self.last
        self.to_move = self.to_move % self.n + 1
        if self.passes == self.n:
            self.blocked(last)

    def play(self, tile: str, end: str, extra: dict[str, Any]) -> None:
        seat = self.last = self.to_move
        self.hands[seat - 1].remove(tile)
        high, low = halves(tile)
        if end == "start":
            self.ends = {"left": high, "right": low}
        else:
            self.ends[end] = low if self.ends[end] == high else high
        self.lying.append((tile, end))
        self.bound, self.passes = None, 0
        self.open_arms()
        total = self.total()
        points = total if self.preset == "all-fives" and total % 5 == 0 else 0
        self.gain(seat, points)
        event = {"type": "tile-played", "seat": seat, "tile": tile, "end": end, "ends": dict(self.ends)}
        self.events.append({**event, "ends_total": total, "points": points, "scores": list(self.scores), **extra})
        self.to_move = seat % self.n + 1
        if self.reached():
            self.end_match("target", self.side(seat))
        elif not self.hands[seat - 1]:
            opposing = sum(
                pips(self.hands[other - 1]) for other in range(1, self.n + 1) if other not in self.side(seat)
            )
            self.end_round("out", seat, self.five(opposing))

    # ---- the layout

    def outermost(self, end: str) -> str | None:
        lying = [tile for tile, where in self.lying if where == end]
        if lying:
            return lying[-1]
        return self.lying[0][0] if end in ("left", "right") else None

    def open_arms(self) -> None:
        doubles = [tile for tile, _ in self.lying if is_double(tile)]
        if self.four_ends and doubles and "up" not in self.ends:
            spinner = doubles[0]
            if self.outermost("left") != spinner and self.outermost("right") != spinner:
                self.ends["up"] = self.ends["down"] = halves(spinner)[0]

    def total(self) -> int:
        if len(self.lying) == 1:
            return pips([self.lying[0][0]])
        total = 0
        for end, number in self.ends.items():
            tile = self.outermost(end)
            if tile is not None:
                total += number * (2 if is_double(tile) else 1)
        return total

    # ---- points and ends

    def side(self, seat: int) -> list[int]:
        return next(side for side in self.sides if seat in side)

    def gain(self, seat: int, points: int) -> None:
        self.scores[self.sides.index(self.side(seat))] += points

    def reached(self) -> bool:
        return bool(max(self.scores) >= self.target)

    def five(self, points: int) -> int:
        return 5 * ((points + 2) // 5) if self.preset == "all-fives" else points

    def blocked(self, last: int) -> None:
        counts = [sum(pips(self.hands[seat - 1]) for seat in side) for side in self.sides]
        low = min(counts)
        if counts.count(low) > 1:
            self.end_round("blocked", None, 0)
            return
        side = self.sides[counts.index(low)]
        order = [(last + step - 1) % self.n + 1 for step in range(1, self.n + 1)]
        winner = min(side, key=lambda seat: (pips(self.hands[seat - 1]), order.index(seat)))
        others = sum(counts) - low
        whole = self.pairs or self.preset in ("duel-draw", "party")
        self.end_round("blocked", winner, self.five(others if whole else others - low))

    def end_round(self, reason: str, winner: int | None, points: int) -> None:
        if winner is not None:
            self.gain(winner, points)
        if self.preset == "duel-draw":
            self.next_opener, self.next_forced = None, True
        elif winner is not None:
            self.next_opener, self.next_forced = winner, False
        elif self.preset == "party":
            self.next_opener, self.next_forced = self.opener % self.n + 1, False
        else:
            self.next_opener, self.next_forced = None, self.preset != "all-fives"
        event = {"type": "round-ended", "reason": reason, "pips": [pips(hand) for hand in self.hands]}
        self.events.append(
            {
                **event,
                "winner": winner,
                "points": points,
                "scores": list(self.scores),
                "next_opener": self.next_opener,
                "next_forced": self.next_forced,
            }
        )
        self.status = "round-ended"
        best = [side for side, score in zip(self.sides, self.scores, strict=True) if score == max(self.scores)]
        if self.reached():
            self.end_match("target", best[0])
        elif self.cap is not None and self.round >= self.cap and (len(best) == 1 or not self.extra_rounds):
            self.end_match("round-cap", best[0] if len(best) == 1 else [])

    def end_match(self, reason: str, winner: list[int]) -> None:
        self.status = "match-ended"
        self.events.append({"type": "match-ended", "reason": reason, "winner": winner, "scores": list(self.scores)})

    def result(self) -> dict[str, Any]:
        return {
            "events": self.events,
            "status": self.status,
            "to_move": self.to_move if self.status == "playing" else None,
            "legal": self.legal(),
            "ends": self.ends,
            "hands": [" ".join(hand) for hand in self.hands],
            "boneyard": " ".join(self.boneyard),
            "scores": self.scores,
        }
