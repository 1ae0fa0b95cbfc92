from capicua.server_clock import ServerClock


def test_the_quickest_ping_says_what_the_servers_time_is() -> None:
    now = 1_000_000
    clock = ServerClock(wall_ms=lambda: now)
    assert clock.now_ms() == 1_000_000
    sent = clock.sent()
    now += 400
    clock.answered(sent, 6_000_390)  # the answer took nearly all of the way back
    sent = clock.sent()
    now += 10
    clock.answered(sent, 6_000_405)
    assert clock.round_trip_ms == 10
    assert clock.now_ms() == 6_000_410


def test_old_pings_are_forgotten_so_that_a_stepped_clock_is_followed() -> None:
    now = 0
    clock = ServerClock(wall_ms=lambda: now)
    clock.answered(clock.sent(), 500)
    for _ in range(8):
        sent = clock.sent()
        now += 2
        clock.answered(sent, 90_000 + now - 1)
    assert clock.offset_ms == 90_000
