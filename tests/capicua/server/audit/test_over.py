from capicua.server.audit.over import Over


def test_ten_thousand_versions_are_found_again_and_take_some_twenty_bytes_each() -> None:
    over = Over()
    for number in range(10_000):
        over.put(f"table-{number}", number + 1)
    assert [over.version(f"table-{number}") for number in (0, 4_321, 9_999)] == [1, 4_322, 10_000]
    assert over.version("table-10000") is None
    assert len(over) == 10_000
    assert over.bytes / len(over) < 40


def test_a_version_can_be_put_again() -> None:
    over = Over()
    over.put("a", 1)
    over.put("a", 2)
    assert (over.version("a"), len(over)) == (2, 1)
