"""The fold of a table: `evolve` trusts every event and judges none; the game's own go through `match.evolve`."""

from __future__ import annotations

from dataclasses import replace

from domino_rules import match as game
from domino_rules.events import (
    MatchEnded,
    Passed,
    RoundDealt,
    RoundEnded,
    TilePlayed,
    TilesDrawn,
)
from domino_rules.ruleset import Seat
from domino_rules.state import Match
from domino_rules.table.events import (
    AutopilotStarted,
    AutopilotStopped,
    ClockStopped,
    DelayMeasured,
    PauseStarted,
    PersonActed,
    PlayerLeft,
    PlayerReady,
    PlayerReturned,
    PlayerSeated,
    RoundCommitted,
    SeedRevealed,
    TableEvent,
    TableExpired,
    TableOpened,
    TurnStarted,
    TurnTimedOut,
)
from domino_rules.table.state import (
    Expired,
    Finished,
    LastRound,
    Pausing,
    Player,
    Playing,
    Seed,
    Table,
    TableState,
    Turn,
    Waiting,
)


class MisplacedEvent(ValueError):
    """An event that cannot follow on that state; a log that holds one was not written by this product."""

    def __init__(self, state: TableState | None, event: TableEvent) -> None:
        super().__init__(f"{event.tag} cannot follow on {'nothing' if state is None else type(state).__name__}")


def evolve(state: TableState | None, event: TableEvent) -> TableState:
    """The table after the event. Raises `MisplacedEvent` when it cannot follow."""
    if isinstance(event, TableOpened):
        return _opened(event)
    if state is None:
        raise MisplacedEvent(state, event)
    match event:
        case TilePlayed() | TilesDrawn() | Passed() | RoundDealt() | RoundEnded() | MatchEnded():
            return _after_game_event(state, event)
        case TurnStarted():
            return _turn_started(state, event)
        case PauseStarted():
            return Pausing(state.table, state.match, _turn(state), event.set_at, event.due_at)
        case TableExpired():
            return Expired(state.table, state.match, _turn(state))
        case PlayerReady():
            return _ready(state, event)
        case _:
            return replace(state, table=_table_after(state.table, event))


def _opened(event: TableOpened) -> TableState:
    players = tuple([Player(seat.account, seat.bot, strength=seat.strength) for seat in event.seats])
    clock_ms = event.ruleset.clock_ms
    clocks = () if clock_ms is None else (clock_ms,) * len(players)
    table = Table(
        event.table_id, event.ruleset, event.region, event.opened_at, players, clocks=clocks, hosted=event.hosted
    )
    return Waiting(table, game.new_match(event.ruleset), event.start_due_at)


def _after_game_event(
    state: TableState, event: TilePlayed | TilesDrawn | Passed | RoundDealt | RoundEnded | MatchEnded
) -> TableState:
    match, table, turn = game.evolve(state.match, event), state.table, _turn(state)
    if isinstance(event, RoundDealt):
        return Playing(replace(table, client_seeds=event.client_seeds), match, turn)
    if isinstance(event, RoundEnded):
        return Playing(replace(table, last_round=_last_round(match, event)), match, turn)
    if isinstance(event, MatchEnded):
        return Finished(table, match, turn)
    return Playing(table, match, turn)


def _last_round(match: Match, event: RoundEnded) -> LastRound:
    assert match.round is not None
    return LastRound(match.round_number, event, match.round.hands)


def _turn_started(state: TableState, event: TurnStarted) -> TableState:
    before, table = _turn(state), state.table
    arming, fresh, credit_ms = 1, None, event.credit_ms
    if before is not None and before.number == event.turn:
        arming, credit_ms = before.arming + 1, before.credit_ms + event.credit_ms
        fresh = (event.set_at, event.due_at) if event.kind == "turn" else before.fresh
    if event.credit_ms:
        player = table.player(event.seat)
        credited = replace(player, credited_ms=player.credited_ms + event.credit_ms)
        table = _with_player(table, event.seat, credited)
    turn = Turn(event.turn, event.seat, event.kind, event.set_at, event.due_at, arming, fresh, credit_ms)
    return Playing(table, state.match, turn)


def _ready(state: TableState, event: PlayerReady) -> TableState:
    if not isinstance(state, Pausing):
        raise MisplacedEvent(state, event)
    table = state.table
    if event.client_seed is not None:
        table = _with_player(table, event.seat, replace(table.player(event.seat), client_seed=event.client_seed))
    ready = tuple(sorted({*state.ready, event.seat}))
    return Pausing(table, state.match, state.turn, state.set_at, state.due_at, ready)


def _table_after(
    table: Table,
    event: RoundCommitted
    | PlayerSeated
    | ClockStopped
    | TurnTimedOut
    | DelayMeasured
    | AutopilotStarted
    | AutopilotStopped
    | PlayerLeft
    | PlayerReturned
    | SeedRevealed
    | PersonActed,
) -> Table:
    match event:
        case RoundCommitted():
            return replace(table, committed=Seed(event.round, event.commitment, event.server_seed))
        case SeedRevealed():
            assert table.committed is not None
            return replace(table, committed=None, revealed=(*table.revealed, table.committed))
        case TurnTimedOut():
            return replace(table, timed_out_turn=event.turn)
        case ClockStopped():
            clocks = (*table.clocks[: event.seat - 1], event.left_ms, *table.clocks[event.seat :])
            return replace(table, clocks=clocks)
        case PlayerSeated():
            player = replace(table.player(event.seat), seated=True, client_seed=event.client_seed)
            return _with_player(table, event.seat, player)
        case AutopilotStarted() | AutopilotStopped():
            on = isinstance(event, AutopilotStarted)
            return _with_player(table, event.seat, replace(table.player(event.seat), autopilot=on))
        case DelayMeasured():
            return _with_player(table, event.seat, replace(table.player(event.seat), delay_ms=event.delay_ms))
        case PersonActed():
            return replace(table, noted_at=event.at)
        case PlayerLeft() | PlayerReturned():
            left = isinstance(event, PlayerLeft)
            return _with_player(table, event.seat, replace(table.player(event.seat), left=left))


def _with_player(table: Table, seat: Seat, player: Player) -> Table:
    return replace(table, players=(*table.players[: seat - 1], player, *table.players[seat:]))


def _turn(state: TableState) -> Turn | None:
    return None if isinstance(state, Waiting) else state.turn
