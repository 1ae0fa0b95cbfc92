"""Startup, readiness and liveness are three questions; each has the time that its answer needs."""

from tests.deploy.rendered import Manifest, Rendered

from bus.health import READY_SECONDS_MAX

SECONDS_TO_START_MIN = 300
SECONDS_STALLED_MAX = 60


def patience(probe: Manifest) -> int:
    """Seconds until the probe's answer is believed."""
    return int(probe["periodSeconds"]) * int(probe["failureThreshold"])


def test_the_three_probes_ask_three_different_questions(rendered: Rendered) -> None:
    for workload in rendered.processes:
        asked = {
            name: workload.container[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")
        }
        assert asked == {
            "startupProbe": {"path": "/started", "port": "health"},
            "livenessProbe": {"path": "/live", "port": "health"},
            "readinessProbe": {"path": "/ready", "port": "health"},
        }, workload.name


def test_readiness_is_given_longer_than_it_gives_itself(rendered: Rendered) -> None:
    for workload in rendered.processes:
        assert workload.container["readinessProbe"]["timeoutSeconds"] > READY_SECONDS_MAX, workload.name


def test_a_start_may_take_as_long_as_a_broker_is_away(rendered: Rendered) -> None:
    for workload in rendered.processes:
        assert patience(workload.container["startupProbe"]) >= SECONDS_TO_START_MIN, workload.name
        assert workload.spec["progressDeadlineSeconds"] > patience(workload.container["startupProbe"]), workload.name


def test_a_stalled_process_is_restarted_within_a_minute(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        probe = workload.container["livenessProbe"]
        assert probe["timeoutSeconds"] * probe["failureThreshold"] < patience(probe) <= SECONDS_STALLED_MAX


def test_the_caches_probes_ask_it_and_not_the_processes(rendered: Rendered) -> None:
    (valkey,) = [workload for workload in rendered.workloads if workload.name == "valkey"]
    assert valkey.container["readinessProbe"]["exec"]["command"] == ["valkey-cli", "-e", "ping"]
    assert valkey.container["livenessProbe"]["tcpSocket"] == {"port": "redis"}
