from tests.account.service import Service
from tests.account.test_sessions import claims


async def test_a_numbered_house_bot_comes_back_as_the_same_account(service: Service) -> None:
    first, second = [
        (await service.http.post("/house-bots", json={"region": "eu", "number": 7})).json() for _ in range(2)
    ]
    assert first["state"]["account"] == second["state"]["account"] == "house-eu-7"
    assert first["secret"] != second["secret"]
    assert second["state"]["version"] == first["state"]["version"] + 1
    read = claims(second["signed"]["token"])
    assert (read["house"], read["bot"], read["region"]) == (True, True, "eu")
    assert (await service.renew(first["secret"])).status_code == 200


async def test_one_without_a_number_is_a_new_account(service: Service) -> None:
    first, second = [(await service.http.post("/house-bots", json={"region": "eu"})).json() for _ in range(2)]
    assert first["state"]["account"] != second["state"]["account"]
    assert first["state"]["kind"] == second["state"]["kind"] == "house"
