"""Kafka's objects follow from the table of topics."""

from pathlib import Path

import pytest
from deploy.generate import ROOT, build_requirements, generated, main, principals, rules, topics
from tests.deploy.rendered import Rendered

from bus.topics import partitions_of, topic_config
from contracts.topics import DECIDERS, GROUPS, PARTITIONS_LOCAL, PARTITIONS_PRODUCTION, TOPICS

STRIMZI_FORBIDS = ("broker.", "listener", "advertised.", "controller.", "ssl.", "sasl.", "log.dir", "authorizer.")


def may(principal: str) -> set[tuple[str, str, str]]:
    """Everything that a principal may do, as (kind, name, operation)."""
    return {
        (rule["resource"]["type"], rule["resource"]["name"], operation)
        for rule in rules(principal)
        for operation in rule["operations"]
    }


@pytest.mark.parametrize("path", generated(), ids=str)
def test_a_generated_file_is_what_the_generator_writes(path: Path) -> None:
    assert (ROOT / path).read_text() == generated()[path], f"{path} is out of date: run `make manifests`"


def test_a_check_finds_nothing_to_write() -> None:
    assert main(["--check"]) == 0


def test_only_a_decider_writes_its_event_topic() -> None:
    for topic in TOPICS:
        if topic.name.endswith(".events"):
            writers = [name for name in principals() if ("topic", topic.name, "Write") in may(name)]
            assert writers == [topic.owner]


def test_a_principal_may_do_what_the_table_says_and_no_more() -> None:
    for principal in principals():
        expected = {("topic", topic.name, "Write") for topic in TOPICS if principal in topic.writers}
        expected |= {("topic", topic.name, "Read") for topic in TOPICS if principal in topic.readers}
        expected |= {("topic", name, "Describe") for _, name, _ in expected}
        granted = may(principal)
        assert {right for right in granted if right[0] == "topic"} == expected, principal
        assert {right for right in granted if right[0] != "topic"} == {
            ("group", group, "Read") for group in GROUPS[principal]
        }


def test_who_keeps_what_is_personal_is_granted_nothing_but_its_own_topics(rendered: Rendered) -> None:
    granted = rendered.one("KafkaUser", "account")["spec"]["authorization"]["acls"]
    assert {rule["resource"]["name"].split(".")[0] for rule in granted} == {"account"}
    assert {rule["resource"]["patternType"] for rule in granted} == {"literal"}


def test_no_principal_may_create_or_change_a_topic() -> None:
    operations = {operation for principal in principals() for _, _, operation in may(principal)}
    assert operations == {"Read", "Write", "Describe"}


def test_topics_are_as_local_ones_but_for_their_copies() -> None:
    for topic, manifest in zip(TOPICS, topics(), strict=True):
        config = manifest["spec"]["config"]
        assert manifest["metadata"]["name"] == topic.name
        assert config == topic_config(topic) | {"min.insync.replicas": "2"}
        assert manifest["spec"]["replicas"] == 3


def test_a_deciders_commands_and_events_have_the_same_partitions_in_every_overlay(rendered: Rendered) -> None:
    partitions = {each["metadata"]["name"]: each["spec"]["partitions"] for each in rendered.of("KafkaTopic")}
    assert DECIDERS == ("table", "lobby")
    for decider in DECIDERS:
        assert partitions[f"{decider}.commands"] == partitions[f"{decider}.events"]


def test_shards_are_as_many_as_each_kind_of_deployment_has(rendered: Rendered) -> None:
    shards = {"local": PARTITIONS_LOCAL, "production": PARTITIONS_PRODUCTION}[rendered.overlay]
    by_name = {each["metadata"]["name"]: each["spec"]["partitions"] for each in rendered.of("KafkaTopic")}
    assert by_name == {topic.name: partitions_of(topic, shards) for topic in TOPICS}


def test_no_topic_asks_for_more_copies_than_there_are_brokers(rendered: Rendered) -> None:
    (pool,) = rendered.of("KafkaNodePool")
    brokers = pool["spec"]["replicas"]
    config = rendered.one("Kafka", "capicua")["spec"]["kafka"]["config"]
    copies = [each["spec"]["replicas"] for each in rendered.of("KafkaTopic")]
    copies += [value for key, value in config.items() if key.endswith("replication.factor")]
    assert max(copies) <= brokers
    in_sync = [int(each["spec"]["config"]["min.insync.replicas"]) for each in rendered.of("KafkaTopic")]
    assert max(in_sync) <= max(1, brokers - 1)


def test_kafka_makes_no_topic_unasked_and_the_operator_accepts_its_settings(rendered: Rendered) -> None:
    config = rendered.one("Kafka", "capicua")["spec"]["kafka"]["config"]
    assert config["auto.create.topics.enable"] is False
    assert config["unclean.leader.election.enable"] is False
    assert [key for key in config if key.startswith(STRIMZI_FORBIDS)] == []


def test_clients_of_kafka_are_authenticated_and_judged(rendered: Rendered) -> None:
    kafka = rendered.one("Kafka", "capicua")["spec"]["kafka"]
    assert kafka["authorization"] == {"type": "simple"}
    assert all(each["tls"] and each["authentication"]["type"] == "scram-sha-512" for each in kafka["listeners"])


def test_the_builders_pins_are_the_locks_own_lines() -> None:
    lock = "# a comment\nuv==1.0 \\\n    --hash=sha256:aa\nuvicorn==2.0 \\\n    --hash=sha256:bb\n    # via fastapi\n"
    assert build_requirements(lock) == "uv==1.0 \\\n    --hash=sha256:aa\n"
