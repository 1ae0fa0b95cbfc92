"""What every workload has to be, whatever it does."""

import re

from tests.deploy.rendered import Rendered

DIGEST = re.compile(r".+@sha256:[0-9a-f]{64}$")
UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def size(text: str) -> int:
    """Bytes of a Kubernetes quantity: ``512Mi``."""
    return int(text[:-2]) * UNITS[text[-2:]]


def test_production_images_are_named_by_digest(production: Rendered) -> None:
    images = [workload.container["image"] for workload in production.workloads]
    images += [cluster["spec"]["imageName"] for cluster in production.of("Cluster")]
    assert [image for image in images if not DIGEST.match(image)] == []


def test_no_image_is_called_latest_or_goes_without_a_version(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        image = workload.container["image"].split("/")[-1]
        assert ":" in image, workload.name
        assert not image.endswith(":latest"), workload.name


def test_nothing_runs_as_root_or_may_become_it(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        security = workload.pod["securityContext"]
        assert security["runAsNonRoot"] is True, workload.name
        assert security["runAsUser"] >= 10000, workload.name
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}, workload.name
        own = workload.container["securityContext"]
        assert own["allowPrivilegeEscalation"] is False, workload.name
        assert own["capabilities"] == {"drop": ["ALL"]}, workload.name


def test_the_root_file_system_is_read_only_and_tmp_is_a_named_volume_with_a_limit(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        assert workload.container["securityContext"]["readOnlyRootFilesystem"] is True, workload.name
        (mount,) = [mount for mount in workload.container["volumeMounts"] if mount["mountPath"] == "/tmp"]
        (volume,) = [volume for volume in workload.pod["volumes"] if volume["name"] == mount["name"]]
        assert size(volume["emptyDir"]["sizeLimit"]) > 0, workload.name


def test_every_workload_has_an_account_of_its_own_without_a_token(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        assert workload.pod["serviceAccountName"] == workload.name
        assert workload.pod["automountServiceAccountToken"] is False, workload.name
        assert rendered.one("ServiceAccount", workload.name)["automountServiceAccountToken"] is False


def test_the_namespace_takes_restricted_pods_only(rendered: Rendered) -> None:
    (namespace,) = rendered.of("Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    elsewhere = {each["metadata"].get("namespace") for each in rendered.objects if each is not namespace}
    assert elsewhere == {namespace["metadata"]["name"]}


def test_kafka_and_its_operators_are_restricted_pods_too(rendered: Rendered) -> None:
    kafka, operators = (
        rendered.one("Kafka", "capicua")["spec"][part]["template"] for part in ("kafka", "entityOperator")
    )
    containers = [kafka["kafkaContainer"], kafka["initContainer"]]
    containers += [operators["topicOperatorContainer"], operators["userOperatorContainer"]]
    for container in containers:
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert security["runAsNonRoot"] is True
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}


def test_cpu_and_memory_are_asked_for_and_the_memory_asked_for_is_the_limit(rendered: Rendered) -> None:
    wanted = [(workload.name, workload.container["resources"]) for workload in rendered.workloads]
    operators = rendered.one("Kafka", "capicua")["spec"]["entityOperator"]
    wanted += [(name, operators[name]["resources"]) for name in ("topicOperator", "userOperator")]
    wanted += [
        (each["metadata"]["name"], each["spec"]["resources"]) for each in rendered.of("KafkaNodePool", "Cluster")
    ]
    for name, resources in wanted:
        assert resources["requests"]["cpu"], name
        assert resources["limits"]["memory"] == resources["requests"]["memory"], name
        assert "cpu" not in resources["limits"], f"{name}: a limit on cpu stalls the poll loop"


def test_valkey_keeps_room_below_its_memory_limit(rendered: Rendered) -> None:
    (workload,) = [workload for workload in rendered.workloads if workload.name == "valkey"]
    config = next(found for found in rendered.of("ConfigMap") if found["metadata"]["name"].startswith("valkey-"))
    (line,) = [line for line in config["data"]["valkey.conf"].splitlines() if line.startswith("maxmemory ")]
    megabytes = int(line.split()[1].removesuffix("mb"))
    assert megabytes * 2**20 <= 0.8 * size(workload.container["resources"]["limits"]["memory"])


def test_one_pod_of_each_workload_may_be_evicted_also_when_it_is_unhealthy(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        budget = rendered.one("PodDisruptionBudget", workload.name)["spec"]
        assert budget["maxUnavailable"] >= 1, workload.name
        assert budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow", workload.name
        assert budget["selector"]["matchLabels"].items() <= workload.pod_labels.items(), workload.name


def test_pods_are_spread_over_zones_and_nodes(production: Rendered) -> None:
    for workload in production.workloads:
        spread = workload.pod["topologySpreadConstraints"]
        keys = {constraint["topologyKey"] for constraint in spread}
        assert keys == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}, workload.name
        for constraint in spread:
            selector = constraint["labelSelector"]["matchLabels"]
            assert selector.items() <= workload.pod_labels.items(), workload.name
            told_apart = selector.keys() | set(constraint.get("matchLabelKeys", ()))
            assert "app.kubernetes.io/name" in told_apart, workload.name


def test_a_zone_that_is_being_drained_does_not_keep_its_pods_from_another(production: Rendered) -> None:
    for workload in production.workloads:
        for constraint in workload.pod["topologySpreadConstraints"]:
            if constraint["whenUnsatisfiable"] == "DoNotSchedule":
                assert constraint["nodeTaintsPolicy"] == "Honor", workload.name


def test_a_new_pod_has_to_stay_ready_before_the_next_is_touched(rendered: Rendered) -> None:
    assert all(workload.spec["minReadySeconds"] >= 5 for workload in rendered.workloads)


def test_deciders_are_rolled_one_by_one_in_fixed_number(rendered: Rendered) -> None:
    deciders = [each for each in rendered.processes if each.manifest["metadata"]["labels"]["capicua/kind"] == "decider"]
    assert {decider.name for decider in deciders} == {"table", "lobby"}
    for decider in deciders:
        assert decider.spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 1, "maxSurge": 0}
        assert decider.spec["replicas"] >= 1


def test_nothing_has_a_number_of_replicas_beside_an_autoscaler(rendered: Rendered) -> None:
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in rendered.of("ScaledObject", "HorizontalPodAutoscaler")}
    for workload in rendered.workloads:
        assert ("replicas" in workload.spec) != (workload.name in scaled), workload.name


def test_no_decider_is_scaled_by_a_machine(rendered: Rendered) -> None:
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in rendered.of("ScaledObject", "HorizontalPodAutoscaler")}
    assert scaled.isdisjoint({"table", "lobby"})


def test_every_reference_to_a_config_map_and_every_selector_finds_something(rendered: Rendered) -> None:
    maps = {found["metadata"]["name"] for found in rendered.of("ConfigMap")}
    for workload in rendered.workloads:
        named = {source["configMapRef"]["name"] for source in workload.container.get("envFrom", ())}
        named |= {volume["configMap"]["name"] for volume in workload.pod["volumes"] if "configMap" in volume}
        assert named <= maps, workload.name
    for service in rendered.of("Service"):
        chosen = [w for w in rendered.workloads if service["spec"]["selector"].items() <= w.pod_labels.items()]
        assert len(chosen) == 1, service["metadata"]["name"]
