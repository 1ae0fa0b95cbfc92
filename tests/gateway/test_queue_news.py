from collections.abc import Collection
from typing import Any

from tests.gateway.doubles import Listener
from tests.gateway.test_queue_status import FOUR, NOW, queued, view_of
from tests.memory_log import HandClock

from bus.clock import BrokerTime
from bus.tasks import LoopTasks
from contracts.region import TicketWithdrawn
from gateway.hub import Hub
from gateway.queue_news import QueueNews
from gateway.queue_status import BOTS_OFFERED_AFTER_MS
from gateway.queue_view import QueueView


class Sockets(Hub):
    def __init__(self, *listeners: Listener) -> None:
        super().__init__(lambda: 0.0)
        self.listeners = list(listeners)

    @property
    def accounts(self) -> Collection[str]:
        return {listener.account for listener in self.listeners}

    def sessions_of(self, account: str) -> Collection[Any]:
        return [listener for listener in self.listeners if listener.account == account]


class Waiting:
    def __init__(self, view: QueueView, *listeners: Listener) -> None:
        self.clock, self.sockets = HandClock(NOW), Sockets(*listeners)
        self.news = QueueNews(view, self.sockets, BrokerTime(self.clock), LoopTasks())


async def test_who_waits_here_is_told_once_and_again_when_something_has_changed() -> None:
    view, ann, passer_by = view_of(queued("ann"), queued("bea")), Listener("ann"), Listener("passer-by")
    here = Waiting(view, ann, passer_by)
    await here.news.tell()
    await here.news.tell()
    assert [(told["type"], told["waiting"]) for told in ann.told] == [("queue-status", 2)]
    view.take(queued("cid"))
    await here.news.tell()
    assert [told["waiting"] for told in ann.told] == [2, 3]
    assert passer_by.told == []


async def test_a_second_socket_is_told_and_the_first_hears_nothing_twice() -> None:
    phone, laptop = Listener("ann"), Listener("ann")
    here = Waiting(view_of(queued("ann")), phone)
    await here.news.tell()
    here.sockets.listeners.append(laptop)
    await here.news.tell()
    assert (len(phone.told), phone.told) == (1, laptop.told)


async def test_time_alone_brings_the_offer_of_house_bots() -> None:
    ann = Listener("ann")
    here = Waiting(view_of(queued("ann")), ann)
    await here.news.tell()
    here.clock.now += BOTS_OFFERED_AFTER_MS
    await here.news.tell()
    assert [len(told["offers"]) for told in ann.told] == [0, 1]


async def test_who_waits_no_more_is_told_nothing_more() -> None:
    ann, view = Listener("ann"), view_of(queued("ann"))
    here = Waiting(view, ann)
    await here.news.tell()
    view.take(TicketWithdrawn(account="ann"))
    await here.news.tell()
    view.take(queued("ann", FOUR.model_copy(update={"target": 150})))
    await here.news.tell()
    assert [told["pool"]["target"] for told in ann.told] == [100, 150]
