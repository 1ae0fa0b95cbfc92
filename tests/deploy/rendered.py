"""The manifests as kubectl renders them, and questions that tests ask of them."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
OVERLAYS = ROOT / "deploy/k8s/overlays"
KUBECTL = Path(sys.executable).with_name("kubectl")
CONTROLLERS = {"Deployment", "StatefulSet"}

Manifest = dict[str, Any]


@dataclass(frozen=True)
class Workload:
    """A controller and the pods that it makes."""

    manifest: Manifest

    @property
    def name(self) -> str:
        return str(self.manifest["metadata"]["name"])

    @property
    def spec(self) -> Manifest:
        return dict(self.manifest["spec"])

    @property
    def pod_labels(self) -> dict[str, str]:
        return dict(self.manifest["spec"]["template"]["metadata"]["labels"])

    @property
    def pod(self) -> Manifest:
        return dict(self.manifest["spec"]["template"]["spec"])

    @property
    def container(self) -> Manifest:
        (container,) = self.pod["containers"]
        return dict(container)

    @property
    def is_ours(self) -> bool:
        """One of our processes, not a server that they need."""
        return self.pod_labels.get("app.kubernetes.io/component") == "process"


@dataclass(frozen=True)
class Rendered:
    """All objects of one overlay."""

    overlay: str
    objects: tuple[Manifest, ...]

    def of(self, *kinds: str) -> Iterator[Manifest]:
        return (found for found in self.objects if found["kind"] in kinds)

    def one(self, kind: str, name: str) -> Manifest:
        (found,) = [each for each in self.of(kind) if each["metadata"]["name"] == name]
        return found

    @property
    def workloads(self) -> list[Workload]:
        return [Workload(manifest) for manifest in self.of(*CONTROLLERS)]

    @property
    def processes(self) -> list[Workload]:
        return [workload for workload in self.workloads if workload.is_ours]

    def environment(self, workload: Workload) -> dict[str, str | None]:
        """What the process finds in its environment; None stands for a value out of a Secret."""
        found: dict[str, str | None] = {}
        for source in workload.container["envFrom"]:
            found |= self.one("ConfigMap", source["configMapRef"]["name"])["data"]
        for variable in workload.container.get("env", ()):
            found[variable["name"]] = variable.get("value")
        return found


@cache
def render(overlay: str) -> Rendered:
    """Once per run. Raises CalledProcessError, with kubectl's words, when the overlay does not render."""
    command = [str(KUBECTL), "kustomize", str(OVERLAYS / overlay)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Rendered(overlay, tuple(yaml.load_all(text, yaml.CSafeLoader)))


def identity(manifest: Manifest) -> str:
    return f"{manifest['kind']} {manifest['metadata']['name']}"
