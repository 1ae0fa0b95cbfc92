from contracts.lifecycle import LifecycleMessage
from contracts.message import tags


def test_a_union_knows_the_tags_of_its_messages() -> None:
    assert tags(LifecycleMessage) == (
        "table-was-opened",
        "table-was-finished",
        "table-was-expired",
        "table-was-not-opened",
    )
