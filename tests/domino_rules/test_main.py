import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domino_rules.__main__ import main, serve

GOOD: dict[str, Any] = {"ruleset": {"preset": "draw"}, "deal": {"hands": ["6-6 1-0", "5-5 6-1"], "boneyard": "4-4"}}


def run(arguments: list[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "domino_rules", *arguments], input=stdin, capture_output=True, text=True, timeout=30
    )


def answers(*lines: bytes) -> list[dict[str, Any]]:
    output = io.StringIO()
    serve(lines, output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_a_scenario_that_plays_through_prints_its_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(GOOD))
    assert main(["run", str(file)]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["legal"] == ["6-6@start"]
    assert printed.err == ""


def test_a_dash_reads_standard_input() -> None:
    done = run(["run", "-"], json.dumps(GOOD))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["to_move"] == 1


def test_a_refused_action_is_status_2_with_the_result_so_far() -> None:
    done = run(["run", "-"], json.dumps({**GOOD, "actions": ["1 6-6", "1 1-0"]}))
    assert done.returncode == 2
    assert json.loads(done.stdout)["refused"]["reason"] == "not-your-turn"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"ruleset": {"preset": "draw"}}', "NaN", "[" * 100_000])
def test_a_malformed_scenario_is_status_1_and_one_line_on_standard_error(content: str) -> None:
    done = run(["run", "-"], content)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert ": " in done.stderr


def test_a_file_that_is_not_there_is_status_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["run", str(tmp_path / "none.json")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_serving_answers_each_line_and_skips_blank_ones() -> None:
    line = json.dumps(GOOD).encode() + b"\n"
    assert [sorted(answer)[0] for answer in answers(line, b"\n", b"  \r\n", line)] == ["boneyard", "boneyard"]


def test_serving_goes_on_after_a_malformed_line() -> None:
    good = json.dumps(GOOD).encode()
    first, second, third, fourth = answers(b"{oops\n", b"\xff\xfe\n", b'{"deal": 1}\n', good)
    assert list(first) == list(second) == list(third) == ["error"]
    assert fourth["status"] == "playing"


def test_serving_goes_on_after_a_line_that_can_be_read_but_is_too_deep_to_be_told() -> None:
    good = json.dumps(GOOD)
    depths = range(900, 1_000)
    deep = ['{"a":' * depth + "1" + "}" * depth for depth in depths]
    served = run(["serve"], "".join(good.replace('"draw"', value) + "\n" for value in deep) + good)
    assert (served.returncode, served.stderr) == (0, "")
    *errors, last = [json.loads(line) for line in served.stdout.splitlines()]
    assert [list(error) for error in errors] == [["error"]] * len(depths)
    assert last["status"] == "playing"


def test_serving_goes_on_after_numbers_whose_sum_could_not_be_printed() -> None:
    nines = "9" * 4_300
    scenario = {
        "ruleset": {"preset": "block", "target": "TARGET"},
        "deal": {"hands": ["6-6", "5-5"]},
        "scores": ["SCORE", 0],
        "actions": ["1 6-6"],
    }
    line = json.dumps(scenario).replace('"TARGET"', nines).replace('"SCORE"', nines[:-1] + "8")
    first, second = answers(line.encode(), json.dumps(GOOD).encode())
    assert first == {"error": "scenario: expected JSON, with whole numbers of at most 1000 digits"}
    assert second["status"] == "playing"


def test_serving_answers_before_the_input_ends() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "domino_rules", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(json.dumps(GOOD) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["to_move"] == 1
        process.stdin.close()
        assert process.wait(timeout=10) == 0


def test_when_nobody_reads_the_answers_it_ends_with_one_line() -> None:
    command = [sys.executable, "-m", "domino_rules", "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as serving:
        assert serving.stdin is not None
        assert serving.stdout is not None
        assert serving.stderr is not None
        serving.stdout.close()
        serving.stdin.write(b"{}\n")
        serving.stdin.flush()
        assert serving.stderr.read() == b"standard output: Broken pipe\n"
        assert serving.wait() == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full, a disk without room, on this system")
def test_without_room_for_the_result_it_ends_with_one_line(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.json"
    scenario.write_text(json.dumps(GOOD))
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "domino_rules", "run", str(scenario)]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (1, b"standard output: No space left on device\n")
