"""The workloads are the product's list of processes, and each is told what it needs and no more."""

from tests.deploy.rendered import Rendered

from account.reserved import read_reserved
from capicua.server.processes import PROCESSES, Need

EVERY_KEY = {key for process in PROCESSES for key in process.keys}
EVERY_NEED = {need.value for need in Need}
KAFKA_SETTINGS = {"KAFKA_BOOTSTRAP", "KAFKA_CA_FILE", "KAFKA_USERNAME", "KAFKA_PASSWORD"}


def test_every_process_of_the_product_has_one_workload(rendered: Rendered) -> None:
    assert sorted(workload.name for workload in rendered.processes) == sorted(process.name for process in PROCESSES)


def test_a_process_is_told_the_servers_and_secrets_that_it_needs_and_no_others(rendered: Rendered) -> None:
    by_name = {workload.name: workload for workload in rendered.processes}
    for process in PROCESSES:
        told = rendered.environment(by_name[process.name])
        assert told.keys() & EVERY_KEY == set(process.keys), process.name
        assert told.keys() & EVERY_NEED == {need.value for need in process.needs}, process.name
        expected = KAFKA_SETTINGS if Need.KAFKA in process.needs else set()
        assert told.keys() & KAFKA_SETTINGS == expected, process.name


def test_secrets_come_from_secrets_and_none_is_in_the_manifests(rendered: Rendered) -> None:
    secret = EVERY_KEY | {"REDIS_URL", "POSTGRES_DSN", "SMTP_URL", "KAFKA_PASSWORD"}
    for workload in rendered.processes:
        told = rendered.environment(workload)
        assert [name for name in told.keys() & secret if told[name] is not None] == [], workload.name
    assert list(rendered.of("Secret")) == []


def test_a_process_speaks_to_kafka_as_itself(rendered: Rendered) -> None:
    users = {user["metadata"]["name"] for user in rendered.of("KafkaUser")}
    speakers = {process.name for process in PROCESSES if Need.KAFKA in process.needs}
    assert users == speakers
    for workload in rendered.processes:
        if workload.name in speakers:
            password = next(v for v in workload.container["env"] if v["name"] == "KAFKA_PASSWORD")
            assert rendered.environment(workload)["KAFKA_USERNAME"] == workload.name
            assert password["valueFrom"]["secretKeyRef"] == {"name": workload.name, "key": "password"}


def test_the_health_port_is_the_one_that_is_probed(rendered: Rendered) -> None:
    for workload in rendered.processes:
        (port,) = [port for port in workload.container["ports"] if port["name"] == "health"]
        told = rendered.environment(workload)
        assert told["CAPICUA_HEALTH_PORT"] == str(port["containerPort"]), workload.name
        assert told["CAPICUA_HEALTH_HOST"] == "0.0.0.0", workload.name


def test_the_bots_come_in_by_the_door_that_the_gateway_opens(rendered: Rendered) -> None:
    by_name = {workload.name: workload for workload in rendered.processes}
    service = rendered.one("Service", "gateway")
    url = rendered.environment(by_name["bots"])["CAPICUA_GATEWAY_URL"]
    assert url == f"http://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}"
    (http,) = [port for port in by_name["gateway"].container["ports"] if port["name"] == "http"]
    assert rendered.environment(by_name["gateway"])["CAPICUA_GATEWAY_PORT"] == str(http["containerPort"])


def test_the_list_of_names_is_where_the_account_service_looks_and_can_be_read(rendered: Rendered) -> None:
    (account,) = [workload for workload in rendered.processes if workload.name == "account"]
    (mount,) = [each for each in account.container["volumeMounts"] if each["name"] == "names"]
    (volume,) = [each for each in account.pod["volumes"] if each["name"] == "names"]
    listed = rendered.one("ConfigMap", volume["configMap"]["name"])["data"]
    where = rendered.environment(account)["CAPICUA_NAMES_FILE"]
    assert {f"{mount['mountPath']}/{name}" for name in listed} == {where}
    assert read_reserved(listed["names.txt"]) == ()


def test_gateways_ask_the_account_service_at_the_door_that_it_opens(rendered: Rendered) -> None:
    by_name = {workload.name: workload for workload in rendered.processes}
    service = rendered.one("Service", "account")
    url = rendered.environment(by_name["gateway"])["CAPICUA_ACCOUNT_URL"]
    assert url == f"http://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}"
    (inner,) = [port for port in by_name["account"].container["ports"] if port["name"] == "inner"]
    told = rendered.environment(by_name["account"])
    assert (told["CAPICUA_ACCOUNT_HOST"], told["CAPICUA_ACCOUNT_PORT"]) == ("0.0.0.0", str(inner["containerPort"]))
