"""What a client sends and takes over its socket."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from contracts.api import (
    Answer,
    Hello,
    Ping,
    Pong,
    SocketError,
    TableRequest,
    Unwatch,
    View,
    Watch,
    Welcome,
    YourTable,
)
from contracts.queue_api import FollowRoom, QueueStatus, RoomChanges, RoomList, UnfollowRoom
from contracts.room_api import FollowPrivateRoom, PrivateRoom, Say, ScreenPaired, Talk, UnfollowPrivateRoom

FollowMessage = FollowRoom | UnfollowRoom | FollowPrivateRoom | UnfollowPrivateRoom
ToServer = Hello | Ping | Watch | Unwatch | TableRequest | FollowMessage | Say

OfRooms = RoomList | RoomChanges | PrivateRoom | ScreenPaired | Talk
ToListener = YourTable | View | Answer | SocketError | QueueStatus | OfRooms
"""What is neither about the connection itself nor about its time."""

FromServer = Annotated[Welcome | Pong | ToListener, Field(discriminator="type")]
FROM_SERVER: TypeAdapter[Welcome | Pong | ToListener] = TypeAdapter(FromServer)
