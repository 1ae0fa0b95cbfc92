"""Who may open a connection to whom, over the whole rendered set: every pair that is not named here is refused."""

import pytest
from tests.deploy.network import End, Network
from tests.deploy.rendered import Rendered

from capicua.server.processes import PROCESSES, Need

HERE = "capicua"
KAFKA = End(HERE, {"strimzi.io/cluster": "capicua", "strimzi.io/name": "capicua-kafka"})
ENTITY_OPERATOR = End(HERE, {"strimzi.io/cluster": "capicua", "strimzi.io/name": "capicua-entity-operator"})
POSTGRES = End(HERE, {"cnpg.io/cluster": "postgres"})
POSTGRES_OPERATOR = End("cnpg-system", {"app.kubernetes.io/name": "cloudnative-pg"})
MAIL_RELAY = End("mail")
DNS = End("kube-system", {"k8s-app": "kube-dns"})
PROMETHEUS = End("monitoring")
LOAD_BALANCER = End("ingress")
COLLECTOR = End("observability")
API_SERVER = End("default")
STRANGER = End("somewhere-else", {"app.kubernetes.io/name": "gateway"})
NEIGHBOUR = End(HERE, {"app.kubernetes.io/name": "debug"})
CLIENTS = 9093
REPLICATION = 9091
REDIS = 6379
HTTP = 8080
HEALTH = 8081
OTLP = 4318
SQL = 5432
INSTANCE_STATUS = 8000
SUBMISSION = 587
API = 443
PORTS = (CLIENTS, REPLICATION, REDIS, HTTP, HEALTH, OTLP, SQL, INSTANCE_STATUS, SUBMISSION, API, 25)


@pytest.fixture(scope="module")
def network(production: Rendered) -> Network:
    return Network.of(production)


@pytest.fixture(scope="module")
def pods(production: Rendered) -> dict[str, End]:
    return {workload.name: End(HERE, workload.pod_labels) for workload in production.workloads}


def expected(pods: dict[str, End]) -> set[tuple[str, str, int]]:
    """What has to be possible between pods, as (from, to, port), out of the list of processes."""
    on_kafka = {process.name for process in PROCESSES if Need.KAFKA in process.needs}
    on_valkey = {process.name for process in PROCESSES if Need.VALKEY in process.needs}
    on_postgres = {process.name for process in PROCESSES if Need.POSTGRES in process.needs}
    names = {process.name for process in PROCESSES}
    return {
        *((name, "kafka", CLIENTS) for name in on_kafka),
        *((name, "valkey", REDIS) for name in on_valkey),
        *((name, "postgres", SQL) for name in on_postgres),
        *((name, "collector", OTLP) for name in names),
        *(("prometheus", name, HEALTH) for name in names),
        ("load balancer", "gateway", HTTP),
        ("bots", "gateway", HTTP),
        ("gateway", "account", HTTP),
        ("account", "mail relay", SUBMISSION),
        ("kafka", "kafka", REPLICATION),
        ("entity operator", "kafka", REPLICATION),
        ("entity operator", "api server", API),
        *((who, "postgres", port) for who in ("postgres", "postgres operator") for port in (SQL, INSTANCE_STATUS)),
        ("postgres", "api server", API),
    }


def test_every_pair_of_pods_may_do_what_it_needs_and_nothing_else(network: Network, pods: dict[str, End]) -> None:
    servers = {"kafka": KAFKA, "entity operator": ENTITY_OPERATOR, "postgres": POSTGRES}
    inside = pods | servers | {"neighbour": NEIGHBOUR}
    outside = {
        "prometheus": PROMETHEUS,
        "load balancer": LOAD_BALANCER,
        "collector": COLLECTOR,
        "api server": API_SERVER,
        "mail relay": MAIL_RELAY,
        "postgres operator": POSTGRES_OPERATOR,
        "stranger": STRANGER,
    }
    everybody = inside | outside
    found = {
        (source, target, port)
        for source in everybody
        for target in everybody
        for port in PORTS
        if (source in inside or target in inside) and network.allows(everybody[source], everybody[target], port)
    }
    ways_out = {reach for reach in found if reach[0] in ("entity operator", "postgres") and reach[2] == API}
    assert {target for _, target, _ in ways_out} <= set(outside)
    found -= {reach for reach in ways_out if reach[1] != "api server"}
    assert found == expected(pods)


def test_every_pod_can_look_up_names(network: Network, pods: dict[str, End]) -> None:
    assert all(network.allows(pod, DNS, 53, "UDP") for pod in [*pods.values(), KAFKA, ENTITY_OPERATOR, POSTGRES])


def test_a_new_pod_is_shut_off_until_a_policy_names_it(network: Network, pods: dict[str, End]) -> None:
    for target in [*pods.values(), KAFKA, POSTGRES]:
        assert not any(network.allows(NEIGHBOUR, target, port) for port in PORTS)


def test_kafkas_own_policy_lets_the_same_clients_in(rendered: Rendered) -> None:
    """Strimzi writes a policy of its own for the listener, and policies add up: it has to name the same peers."""
    (listener,) = rendered.one("Kafka", "capicua")["spec"]["kafka"]["listeners"]
    (peer,) = listener["networkPolicyPeers"]
    (expression,) = peer["podSelector"]["matchExpressions"]
    speakers = sorted(process.name for process in PROCESSES if Need.KAFKA in process.needs)
    assert sorted(expression["values"]) == speakers
