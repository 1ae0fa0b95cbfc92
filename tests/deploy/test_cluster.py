"""A real API server takes every overlay, with its admission, where `CAPICUA_KUBECONFIG` names a cluster for tests."""

import os
import subprocess
from collections.abc import Iterable

import pytest
import yaml
from tests.deploy.rendered import KUBECTL, ROOT, Manifest, Rendered

KUBECONFIG = os.environ.get("CAPICUA_KUBECONFIG")
CRDS = ROOT.parent / "shared/crds"

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(KUBECONFIG is None, reason="CAPICUA_KUBECONFIG names no cluster for tests"),
    pytest.mark.skipif(not CRDS.is_dir(), reason="expected definitions of custom resources in ../shared/crds"),
]


def kubectl(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [str(KUBECTL), "--kubeconfig", str(KUBECONFIG), *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True)


def apply(manifests: Iterable[Manifest], *arguments: str) -> subprocess.CompletedProcess[str]:
    return kubectl(
        "apply", "--server-side", "--force-conflicts", *arguments, "-f", "-", given=yaml.safe_dump_all(manifests)
    )


def pod(name: str, spec: Manifest) -> Manifest:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "capicua"}, "spec": spec}


@pytest.fixture(scope="module")
def cluster(production: Rendered) -> None:
    """The definitions of custom resources, and the namespace with what it admits."""
    for folder in ("strimzi", "gateway-api", "cnpg"):
        assert kubectl("apply", "--server-side", "-f", str(CRDS / folder)).returncode == 0
    assert kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s").returncode == 0
    assert apply(production.of("Namespace")).returncode == 0


def test_the_api_server_takes_every_object_and_warns_of_none(cluster: None, rendered: Rendered) -> None:
    done = apply(rendered.objects, "--dry-run=server")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == len(rendered.objects)


def test_the_namespace_admits_the_pod_of_every_workload(cluster: None, rendered: Rendered) -> None:
    accounts = apply(rendered.of("ServiceAccount"))
    assert accounts.returncode == 0, accounts.stderr
    pods = [pod(f"admit-{workload.name}", workload.pod) for workload in rendered.workloads]
    done = apply(pods, "--dry-run=server")
    assert done.returncode == 0, done.stderr


def test_the_namespace_admits_no_pod_that_could_become_root(cluster: None, production: Rendered) -> None:
    spec = dict(production.workloads[0].pod) | {"securityContext": {"runAsUser": 0}}
    done = apply([pod("root", spec)], "--dry-run=server")
    assert done.returncode != 0
    assert "violates PodSecurity" in done.stderr
