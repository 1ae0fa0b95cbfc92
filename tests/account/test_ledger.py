"""Guests come over the bus: at once, once, whatever happens."""

from tests.account.service import Newcomer, Service


async def test_a_guest_is_there_and_told_of(service: Service) -> None:
    newcomer = await service.guest(region="eu", bot=True)
    (told,) = await service.told_of(newcomer.account)
    assert told is not None
    assert (told.version, told.kind, told.region, told.bot, told.ended) == (1, "guest", "eu", True, ())


async def test_a_repeated_command_has_one_effect(service: Service) -> None:
    newcomer = Newcomer()
    await service.send(*[newcomer.command("the same")] * 3)
    await service.until_there(newcomer)
    await service.send(newcomer.command("the same"))
    await service.guest()
    assert len(await service.told_of(newcomer.account)) == 1
