"""The embedded Kafka: its settings, its folder, and what it survives."""

import signal
from pathlib import Path

import pytest
from tests.bus.local.test_start import read_topic, write_topic

from bus.local import Home, LocalError
from bus.local.kafka import Node, cluster_id, prepare, properties, start_embedded_kafka


def node(node_id: int, folder: Path) -> Node:
    return Node(node_id, broker_port=20_000 + node_id, controller_port=21_000 + node_id, data=folder / str(node_id))


def settings(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines())


def test_it_listens_on_this_machine_alone(tmp_path: Path) -> None:
    listeners = settings(properties(node(1, tmp_path), [node(1, tmp_path)]))["listeners"].split(",")
    assert all("://127.0.0.1:" in listener for listener in listeners)


def test_one_node_keeps_one_copy(tmp_path: Path) -> None:
    alone = settings(properties(node(1, tmp_path), [node(1, tmp_path)]))
    assert alone["default.replication.factor"] == "1"
    assert alone["min.insync.replicas"] == "1"
    assert alone["auto.create.topics.enable"] == "false"


def test_three_nodes_keep_three_copies_of_which_two_must_be_there(tmp_path: Path) -> None:
    nodes = [node(number, tmp_path) for number in (1, 2, 3)]
    second = settings(properties(nodes[1], nodes))
    assert second["node.id"] == "2"
    assert second["controller.quorum.voters"] == "1@127.0.0.1:21001,2@127.0.0.1:21002,3@127.0.0.1:21003"
    assert second["default.replication.factor"] == "3"
    assert second["min.insync.replicas"] == "2"
    assert second["offsets.topic.replication.factor"] == "3"


def test_a_cluster_id_has_22_characters_and_never_looks_like_an_option() -> None:
    ids = {cluster_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(chosen) for chosen in ids} == {22}
    assert not any(chosen.startswith("-") for chosen in ids)


def test_topic_data_without_its_meta_properties_is_never_formatted_over(tmp_path: Path) -> None:
    broken = node(1, tmp_path)
    (broken.log_folder / "table.events-0").mkdir(parents=True)
    with pytest.raises(LocalError, match=r"holds data \(table.events-0, …\).* put that file back, or move the folder"):
        prepare(broken, [broken], ["never-run"], cluster_id())
    assert (broken.log_folder / "table.events-0").exists()


def test_a_comma_in_the_path_is_refused(tmp_path: Path) -> None:
    odd = node(1, tmp_path / "one, two")
    with pytest.raises(LocalError, match="set CAPICUA_HOME to a path without one"):
        prepare(odd, [odd], ["never-run"], cluster_id())


def test_a_path_of_any_letters_is_written_as_java_reads_it(tmp_path: Path) -> None:
    odd = node(1, tmp_path / "José 𝄞 a\\b")
    folder = settings(properties(odd, [odd]))["log.dirs"]
    assert folder == f"{tmp_path}/Jos\\u00e9 \\ud834\\udd1e a\\\\b/1/log"


def test_a_formatter_that_fails_is_quoted(tmp_path: Path) -> None:
    fresh = node(1, tmp_path)
    failing = ["sh", "-c", "printf 'disk is on fire\\n\\tat kafka.tools.StorageTool.main\\n' >&2; exit 3"]
    with pytest.raises(LocalError, match=r"could not format its folder .*: disk is on fire$"):
        prepare(fresh, [fresh], failing, cluster_id())


@pytest.mark.parametrize("meta", [None, "", "version=1\n", "version=1\nnode.id=1\n"])
def test_a_half_formatted_folder_is_emptied_before_it_is_formatted_again(meta: str | None, tmp_path: Path) -> None:
    half = node(1, tmp_path)
    (half.log_folder / "__cluster_metadata-0").mkdir(parents=True)
    if meta is not None:
        (half.log_folder / "meta.properties").write_text(meta)
    prepare(half, [half], ["true"], cluster_id())
    assert not half.log_folder.exists()


def test_a_formatted_folder_is_kept(tmp_path: Path) -> None:
    whole = node(1, tmp_path)
    whole.log_folder.mkdir(parents=True)
    (whole.log_folder / "meta.properties").write_text("version=1\ncluster.id=5L6g3nShT-eMCtK--X86sw\nnode.id=1\n")
    prepare(whole, [whole], ["never-run"], cluster_id())
    assert whole.properties_file.exists()


@pytest.mark.servers
async def test_a_half_formatted_folder_becomes_a_running_broker(tmp_path: Path) -> None:
    home = tmp_path / "José's home"
    folder = home / "data" / "kafka" / "log"
    (folder / "__cluster_metadata-0").mkdir(parents=True)
    (folder / "meta.properties").write_text("version=1\nnode.id=1\n")
    server = await start_embedded_kafka(Home(home))
    await server.stop()
    assert "cluster.id=" in (folder / "meta.properties").read_text()


@pytest.mark.servers
async def test_a_broker_that_was_killed_and_one_that_was_left_running_give_their_topics_back(tmp_path: Path) -> None:
    killed = await start_embedded_kafka(Home(tmp_path))
    await write_topic(killed.address)
    killed.process.send_signal(signal.SIGKILL)
    await killed.process.exited()
    left = await start_embedded_kafka(Home(tmp_path))
    server = await start_embedded_kafka(Home(tmp_path))
    try:
        assert left.exit_code is not None
        assert len({killed.pid, left.pid, server.pid}) == 3
        assert await read_topic(server.address)
    finally:
        await server.stop()
