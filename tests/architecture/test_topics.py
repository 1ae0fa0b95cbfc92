"""The table of topics keeps its own rules."""

import ast

import pytest
from tests.architecture.source import Module, called, of

from capicua.server.processes import PROCESSES, Need
from contracts.topics import BY_NAME, DECIDERS, GROUPS, TOPICS, Topic

NAMES = {process.name for process in PROCESSES}
PEOPLE = "people"
KEEP_AWAY_FROM_MATCHES = {"wallet", "account"}
MATCH_TOPICS = ("table.", "tournament.")
TAKE_A_GROUP = ("GroupTail", "PolicyRunner", "TopicFollower")


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_a_topic_has_an_owner_writers_and_readers_that_exist(topic: Topic) -> None:
    assert topic.owner in NAMES
    assert topic.writers
    assert set(topic.writers) <= NAMES
    assert topic.readers
    assert set(topic.readers) <= NAMES | {PEOPLE}
    assert topic.key
    assert topic.why


def test_no_topic_stands_twice_in_the_table() -> None:
    assert len(BY_NAME) == len(TOPICS)


@pytest.mark.parametrize("decider", DECIDERS)
def test_a_deciders_commands_and_events_have_the_same_partitions_key_and_clock(decider: str) -> None:
    commands, events = BY_NAME[f"{decider}.commands"], BY_NAME[f"{decider}.events"]
    assert commands.partitions == events.partitions
    assert commands.key == events.key
    assert commands.timestamps == events.timestamps == "LogAppendTime"


@pytest.mark.parametrize("decider", DECIDERS)
def test_a_decider_alone_writes_its_events_reads_its_commands_and_keeps_its_events(decider: str) -> None:
    assert BY_NAME[f"{decider}.events"].writers == (decider,)
    assert BY_NAME[f"{decider}.commands"].readers == (decider,)
    assert BY_NAME[f"{decider}.events"].retention_ms is None
    assert decider in BY_NAME[f"{decider}.events"].readers


@pytest.mark.parametrize("decider", DECIDERS)
def test_what_could_not_be_decided_is_written_by_one_who_reads_the_events(decider: str) -> None:
    (writer,) = BY_NAME[f"{decider}.dead"].writers
    assert writer in BY_NAME[f"{decider}.events"].readers


def test_the_account_service_reads_and_writes_its_own_topics_and_no_others() -> None:
    assert {topic.name for topic in TOPICS if "account" in topic.readers} == {"account.commands"}
    assert {topic.name for topic in TOPICS if "account" in topic.writers} == {"account.events", "account.dead"}


def test_coins_and_accounts_have_no_way_to_a_match() -> None:
    for topic in TOPICS:
        if topic.name.startswith(MATCH_TOPICS):
            assert KEEP_AWAY_FROM_MATCHES.isdisjoint({topic.owner, *topic.writers, *topic.readers}), topic.name


def test_who_writes_or_reads_a_topic_is_connected_to_kafka_and_the_others_are_not() -> None:
    users = {user for topic in TOPICS for user in (*topic.writers, *topic.readers)} - {PEOPLE}
    assert users == {process.name for process in PROCESSES if Need.KAFKA in process.needs}
    assert GROUPS.keys() == users


def test_the_groups_of_the_table_are_the_groups_of_the_code() -> None:
    used = set(DECIDERS)
    for process in PROCESSES:
        used |= {group for module in of(process.module.split(".")[0]) for group in groups_taken(module)}
    assert used == {group for groups in GROUPS.values() for group in groups}


def groups_taken(module: Module) -> set[str]:
    """The names of consumer groups in a module: the texts given to what takes a group, but for the topics, and what is
    given as `group_id`."""
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    given = [argument for call in calls if called(call) in TAKE_A_GROUP for argument in call.args]
    given += [keyword.value for call in calls for keyword in call.keywords if keyword.arg == "group_id"]
    return {text for argument in given if (text := text_of(argument, module)) and text not in BY_NAME}


def text_of(argument: ast.expr, module: Module) -> str | None:
    """Of a text, or of a name that the module gives to one."""
    match argument:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            for node in module.tree.body:
                match node:
                    case ast.Assign(targets=[ast.Name(id=known)], value=ast.Constant(value=str(text))) if known == name:
                        return text
    return None
