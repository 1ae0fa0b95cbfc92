"""What is followed, when the server says no."""

import pytest
from tests.capicua.room_messages import CODE, private_room, room_list

from capicua.errors import Refused
from capicua.follows import Follows
from capicua.messages import FollowMessage
from capicua.private_room import FollowedRoom
from capicua.public_room import PublicRoom
from contracts.api import SocketError


class Said:
    def __init__(self) -> None:
        self.messages: list[FollowMessage] = []

    async def say(self, message: FollowMessage) -> None:
        self.messages.append(message)

    @property
    def kinds(self) -> list[str]:
        kinds: list[str] = [message.type for message in self.messages]
        self.messages.clear()
        return kinds


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
def follows(said: Said) -> Follows:
    return Follows(said.say)


def no(code: str) -> SocketError:
    return SocketError(code=code, message="no")


async def is_lost(room: FollowedRoom) -> bool:
    try:
        await anext(room.views.changes())
    except Refused:
        return True
    return False


async def test_two_who_follow_the_same_let_it_go_with_the_last(follows: Follows, said: Said) -> None:
    one, other = PublicRoom("draw"), PublicRoom("draw")
    await follows.add(one)
    await follows.add(other)
    follows.take(room_list())
    assert one.lists.value == other.lists.value == room_list()
    assert said.kinds == ["follow-room", "follow-room"]
    await follows.drop(one)
    assert said.kinds == []
    await follows.drop(other)
    assert said.kinds == ["unfollow-room"]


async def test_a_refusal_is_about_what_has_not_been_answered(follows: Follows) -> None:
    answered, waiting = FollowedRoom(CODE), PublicRoom("nonsense")
    await follows.add(answered)
    follows.take(private_room())
    await follows.add(waiting)
    assert not follows.refused(no("bad-message"))
    with pytest.raises(Refused, match="bad-message"):
        await anext(waiting.lists.changes())
    assert not await is_lost(answered)


async def test_what_must_wait_is_asked_for_again(follows: Follows, said: Said) -> None:
    await follows.add(FollowedRoom(CODE))
    assert follows.refused(no("too-many-requests"))
    await follows.ask_again()
    assert said.kinds == ["follow-private-room", "follow-private-room"]
    follows.take(private_room())
    assert not follows.refused(no("too-many-requests"))


async def test_a_screen_that_is_not_paired_yet_goes_on_waiting(follows: Follows, said: Said) -> None:
    room = FollowedRoom(None)
    await follows.add(room)
    assert not follows.refused(no("not-paired"))
    await follows.say_again()
    follows.take(private_room())
    assert said.kinds == ["follow-private-room", "follow-private-room"]
    assert not await is_lost(room)


async def test_who_is_removed_from_a_room_is_told_whenever_it_is(follows: Follows) -> None:
    room, public = FollowedRoom(CODE), PublicRoom("draw")
    await follows.add(public)
    await follows.add(room)
    follows.take(private_room())
    follows.take(room_list())
    room.views.put(None)
    assert not follows.refused(no("removed"))
    assert await is_lost(room)
    assert (await anext(public.lists.changes())).preset == "draw"
