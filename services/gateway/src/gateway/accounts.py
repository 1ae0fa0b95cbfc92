"""The account service as the gateway knows it: asked by its inner door, and heard by its events."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from fastapi import APIRouter

from bus.health import Progress
from bus.kafka import KafkaLog
from bus.parts import Parts
from bus.sender import CommandSender
from gateway.account_answers import AccountAnswers
from gateway.account_feed import AccountFeed
from gateway.account_mail_routes import mail_routes
from gateway.account_reading import AccountReading
from gateway.account_report_routes import report_routes
from gateway.account_routes import account_routes
from gateway.account_service import AccountService
from gateway.account_session_routes import session_routes
from gateway.company import Company
from gateway.ended import Ended
from gateway.export import Export
from gateway.hub import Hub
from gateway.identity import AccessTokens
from gateway.links import Links
from gateway.merged import Merged
from gateway.my_tables import FinishedTables
from gateway.newcomers import Arrivals, Newcomers
from gateway.settings import GatewaySettings


@dataclass(frozen=True, slots=True)
class Accounts:
    """The parts, in the order in which they are built on each other."""

    service: AccountService
    answers: AccountAnswers
    ended: Ended
    access: AccessTokens
    arrivals: Arrivals
    sender: CommandSender
    newcomers: Newcomers

    @classmethod
    def of(cls, settings: GatewaySettings, log: KafkaLog, parts: Parts) -> Self:
        service = AccountService(settings.account_url, settings.inner_key.get_secret_value())
        ended, arrivals, sender = Ended(parts.time), Arrivals(), CommandSender(log, "account")
        house_key = settings.house_key.get_secret_value() if settings.house_key else None
        newcomers = Newcomers(sender, arrivals, service, settings.region, house_key)
        access = AccessTokens(settings.account_public_keys, ended)
        return cls(service, AccountAnswers(service, parts.clock), ended, access, arrivals, sender, newcomers)

    def routes(self, links: Links, region: str, merged: Merged, finished: FinishedTables) -> tuple[APIRouter, ...]:
        service = self.service
        return (
            session_routes(service),
            mail_routes(service, links, region, merged),
            account_routes(service, Export(service, finished, merged)),
            report_routes(service),
        )

    def reading(self, log: KafkaLog, parts: Parts, hub: Hub, company: Company, progress: Progress) -> AccountReading:
        async def forget(changed: Iterable[str]) -> None:
            accounts = list(changed)
            kept = (company.names, company.mutes, company.merged)
            await asyncio.gather(*(each.forget(accounts) for each in kept))

        feed = AccountFeed(self.ended, self.arrivals, self.access, hub, forget, company.merged.heard)
        return AccountReading(log, feed, parts.clock, parts.tasks, progress)

    async def stop(self) -> None:
        await self.sender.stop()
        await self.service.close()
