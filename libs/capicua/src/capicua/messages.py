"""What a client sends and takes over its socket, by what it is about."""

from pydantic import TypeAdapter

from contracts.api import Answer, MatchCalledOff, SocketError, ToClient, View, YourTable
from contracts.queue_api import FollowRoom, QueueStatus, RoomChanges, RoomList, UnfollowRoom
from contracts.room_api import FollowPrivateRoom, PrivateRoom, Said, ScreenPaired, Talk, UnfollowPrivateRoom

FollowMessage = FollowRoom | UnfollowRoom | FollowPrivateRoom | UnfollowPrivateRoom
OfRooms = RoomList | RoomChanges | PrivateRoom | ScreenPaired | Talk
ToListener = YourTable | MatchCalledOff | View | Answer | Said | SocketError | QueueStatus | OfRooms
"""What is neither about the connection itself nor about its time."""

FROM_SERVER: TypeAdapter[ToClient] = TypeAdapter(ToClient)
