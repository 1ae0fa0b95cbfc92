"""What a person does with the `capicua` command, on the whole product with its house bots."""

import asyncio
import json
import re
import signal
from pathlib import Path

import pytest
from tests.stories.shell import CAPICUA, capicua

from capicua import Client, Strength, TableView
from capicua.player import play_match
from capicua.saved_guest import save_token, saved_token
from capicua.server.stack import Stack


@pytest.fixture(autouse=True)
def shell(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user of that product, with a configuration folder of their own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CAPICUA_URL", stack.gateway_url)
    monkeypatch.setenv("COLUMNS", "80")


async def test_who_leaves_comes_back_to_the_seat_and_later_sees_the_match_again(stack: Stack) -> None:
    save_token(stack.gateway_url, "a token of another house")  # such a guest becomes a new one
    status, out, err = await capicua("play --target 50 --seats 4", typed="q\n")
    assert (status, err, "You have left" in out) == (0, "", True), out
    table = re.search(r"^Table (\S+)$", out, re.MULTILINE)
    assert table

    status, out, err = await capicua("play --auto")
    assert (status, err) == (0, "")
    assert "You still have a seat at a table" in out
    assert f"Table {table[1]}" in out
    assert re.search(r"You (win|lose), \d+ : \d+ : \d+ : \d+\.", out), out
    assert f"capicua replay {table[1]}" in out

    status, out, err = await capicua(f"replay {table[1]}")
    assert (status, err) == (0, "")
    assert re.search(
        r"Verified \(state hashes: [1-9]\d*, deals: [1-9]\d*, events: [1-9]\d*\): everything is as recorded\.", out
    ), out
    assert "│" in out

    status, out, _ = await capicua(f"replay {table[1]} --json")
    *_, verdict = (json.loads(line) for line in out.splitlines())
    assert (status, verdict["first_wrong_version"]) == (0, None)


async def test_a_person_plays_to_the_end_through_a_pipe() -> None:
    every_tile = [f"{number}{end}" for number in range(1, 10) for end in "lr"]
    status, out, err = await capicua("play --preset block --seats 4 --target 50", "\n".join(every_tile * 300))
    assert (status, err) == (0, "")
    assert "Your turn. Hand: 1:" in out
    assert re.search(r"You (win|lose)", out), out


async def test_a_person_plays_all_fives_with_four_ends_against_an_expert_of_the_house() -> None:
    every_choice = ["d", "p", *(f"{number}{end}" for number in range(1, 22) for end in "lrud")]
    arguments = "play --preset all-fives --spinner --bot expert"
    status, out, err = await capicua(arguments, "\n".join(every_choice * 300))
    assert (status, err) == (0, "")
    assert "In the queue for all-fives with 2 seats to 100, spinner." in out
    assert re.search(r"^Ends after \d", out, re.MULTILINE), out
    assert re.search(r"^Bot \d plays \d-\d .*\(the ends count \d+", out, re.MULTILINE), out
    if re.search(r"boneyard: (\d|1[0-3]) tiles", out):  # in some matches everybody can always play
        assert re.search(r"^(You draw \d-\d|Bot \d draws \d)", out, re.MULTILINE), out
    assert re.search(r"You (win|lose), \d+ : \d+\.", out), out


async def test_an_interrupt_in_the_queue_leaves_it(stack: Stack) -> None:
    process = await asyncio.create_subprocess_exec(
        CAPICUA, "play", "--no-bots", "--seats", "4", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert b"In the queue" in await process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = await process.communicate()
    assert (process.returncode, err.decode().strip()[:12]) == (130, "Interrupted.")
    async with Client(stack.gateway_url, token=saved_token(stack.gateway_url)) as client:
        assert await client.queue_status() is None


async def test_a_ticket_that_a_killed_terminal_left_behind_does_not_stand_in_the_way() -> None:
    process = await asyncio.create_subprocess_exec(
        CAPICUA, "play", "--no-bots", "--seats", "4", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert b"In the queue" in await process.stdout.readline()
    process.kill()
    await process.communicate()
    status, out, err = await capicua("play --auto --preset block --target 50")
    assert (status, err) == (0, "")
    assert "You were in the queue already: your new wish replaces the old one." in out
    assert re.search(r"You (win|lose)", out), out


async def test_a_bot_that_is_interrupted_in_the_queue_takes_nobody_s_seat(stack: Stack) -> None:
    process = await asyncio.create_subprocess_exec(
        CAPICUA, "bot", "--preset", "party", "--seats", "3", stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    assert b"In the queue for party with 3 seats" in await process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert await process.wait() == 130
    async with Client(stack.gateway_url) as client:
        await client.queue("party", 3, 100, "fill")
        view = await (await client.next_table()).first_view()
    assert [seat.account[:6] for seat in view.seats[1:]] == ["house-", "house-"]


async def test_a_spectator_watches_and_sees_no_hand(stack: Stack) -> None:
    async with Client(stack.gateway_url) as client:
        await client.queue("draw", 2, 50, "fill")
        table = await client.next_table()
        watching = asyncio.create_task(capicua(f"watch {table.id} --json"))
        last = await play_match(table)
        status, out, err = await watching
    assert (status, err) == (0, "")
    views = [TableView.model_validate_json(line) for line in out.splitlines()]
    _, too_late, _ = await capicua(f"watch {table.id}")
    assert too_late.startswith(f"The match is over, {last.scores[0]} : {last.scores[1]}.")
    assert views[-1].result == last.result
    assert all(view.hand is None and view.you is None and view.legal == () for view in views)
    assert not re.search(r'"(server_seed|tiles)":"[^"]*-', "".join(line for line in out.splitlines()[:-1]))


async def test_house_bots_are_labelled_and_come_back_to_their_seats_when_killed(stack: Stack) -> None:
    async with Client(stack.gateway_url) as client:
        await client.queue("block", 3, 50, "fill", strength=Strength.EXPERT)
        table = await client.next_table()
        view = await table.first_view()
        bots = [seat for seat in view.seats if seat.seat != view.you]
        assert all(seat.bot and re.fullmatch(r"house-eu-\d+", seat.account) for seat in bots)
        assert [seat.strength for seat in bots] == ["expert", "expert"]

        stack.kill("bots", signal.SIGKILL)
        playing = asyncio.create_task(play_match(table))
        await stack.restart("bots")
        last = await playing
    assert last.result is not None
    assert [seat.account for seat in last.seats] == [seat.account for seat in view.seats]
    assert not any(seat.autopilot for seat in last.seats)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ("replay nowhere", 1, "unknown-table"),
        ("watch nowhere", 1, "unknown-table"),
        ("play --url nonsense", 1, "expected an address such as http://127.0.0.1:8080, got 'nonsense'"),
        ("play --seats 9", 2, "whole number from 2 to 4"),
        ("play --target 60", 2, "60"),
        ("play --preset all-fives --seats 3", 2, "--seats"),
        ("bot --preset party --pairs --seats 3", 2, "--pairs"),
        ("bot --stand-by", 1, "CAPICUA_HOUSE_KEY"),
        ("replay", 2, "ID"),
    ],
)
async def test_a_mistake_is_explained_without_a_stack_trace(
    stack: Stack, arguments: str, status: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CAPICUA_HOUSE_KEY", raising=False)
    save_token(stack.gateway_url, None)
    async with Client(stack.gateway_url) as client:
        await client.guest()
        save_token(stack.gateway_url, client.token)
    found, out, err = await capicua(arguments)
    assert found == status, err
    assert said in err
    assert out == ""
    assert "Traceback" not in err
    if status == 1:
        assert len(err.splitlines()) == 1


async def test_nobody_there_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPICUA_URL", "http://127.0.0.1:9")
    status, _, err = await capicua("play")
    assert status == 1
    assert len(err.splitlines()) == 1
    assert "capicua up' starts it" in err


async def test_who_resigns_a_match_of_two_has_lost_it_and_is_told_so() -> None:
    status, out, err = await capicua("play --preset block --target 50", "resign\nyes\n")
    assert (status, err) == (0, "")
    assert "Give the match up? It is lost at once." in out
    assert re.search(r"^Bot [12] wins the match \(you resigned\)$", out, re.MULTILINE)
    assert re.search(r"^You lose, 0 : 0\.$", out, re.MULTILINE), out
    table = re.search(r"^Table (\S+)$", out, re.MULTILINE)
    assert table
    status, out, _ = await capicua(f"replay {table[1]}")
    assert (status, "resigned)" in out, "Verified (" in out) == (0, True, True), out


async def test_who_resigns_among_three_has_left() -> None:
    status, out, err = await capicua("play --preset block --seats 3 --target 50", "resign\nyes\n")
    assert (status, err) == (0, "")
    assert "With 3 seats resigning is leaving." in out
    assert "You have left; the autopilot plays on." in out
