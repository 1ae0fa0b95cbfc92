"""Every object against the schemas of its kind: unknown fields, wrong types and missing ones are found here."""

import copy
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml
from kubernetes_validate.utils import all_versions, major_minor
from tests.deploy.rendered import ROOT, Manifest, Rendered, identity

CRDS = ROOT.parent / "shared/crds"
NEWEST_MINORS = list(dict.fromkeys(major_minor(version) for version in all_versions()))[-3:]
STANDARD_GROUPS = {"v1", "apps", "policy", "networking.k8s.io", "autoscaling"}


def group(manifest: Manifest) -> str:
    return str(manifest["apiVersion"]).split("/")[0]


@cache
def custom_schemas() -> dict[tuple[str, str], Any]:
    """The schema of each custom kind by (apiVersion, kind), closed to fields that it does not name."""
    found: dict[tuple[str, str], Any] = {}
    for path in sorted(CRDS.glob("*/*.yaml")):
        for definition in yaml.load_all(path.read_text(), yaml.CSafeLoader):
            spec = definition["spec"]
            for version in spec["versions"]:
                schema = closed(version["schema"]["openAPIV3Schema"])
                schema["properties"]["metadata"] = {"type": "object"}
                found[f"{spec['group']}/{version['name']}", spec["names"]["kind"]] = schema
    return found


def closed(schema: Any) -> Any:
    """The schema with every object that names its fields, and does not keep unknown ones, refusing others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(part) for key, part in schema.items()}
    if "properties" in result and not result.get("x-kubernetes-preserve-unknown-fields"):
        result.setdefault("additionalProperties", False)
    if result.pop("x-kubernetes-int-or-string", False):
        return {"type": ["integer", "string"]}
    return result


def needs_custom_schemas() -> None:
    if not CRDS.is_dir():
        pytest.skip(f"custom resources are not checked: expected their definitions in {Path('..') / 'shared/crds'}")


def check_custom(manifest: Manifest) -> None:
    schema = custom_schemas().get((manifest["apiVersion"], manifest["kind"]))
    assert schema is not None, f"{identity(manifest)}: no definition of {manifest['apiVersion']} {manifest['kind']}"
    jsonschema.Draft202012Validator(schema).validate(manifest)


@pytest.mark.parametrize("minor", NEWEST_MINORS)
def test_standard_objects_are_valid_in_the_newest_minors(rendered: Rendered, minor: str) -> None:
    checked = [manifest for manifest in rendered.objects if group(manifest) in STANDARD_GROUPS]
    for manifest in checked:
        assert kubernetes_validate.validate(manifest, minor, strict=True) == minor, identity(manifest)
    assert len(checked) > 20


def test_three_minors_are_looked_at() -> None:
    assert len(NEWEST_MINORS) == 3


def test_an_unknown_field_of_a_standard_object_is_refused(production: Rendered) -> None:
    broken = copy.deepcopy(production.one("Deployment", "table"))
    broken["spec"]["template"]["spec"]["containers"][0]["livenesProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, NEWEST_MINORS[-1], strict=True)


def test_custom_objects_are_valid_and_have_no_unknown_fields(rendered: Rendered) -> None:
    needs_custom_schemas()
    checked = [manifest for manifest in rendered.objects if group(manifest) not in STANDARD_GROUPS]
    for manifest in checked:
        check_custom(manifest)
    assert {manifest["kind"] for manifest in checked} >= {
        "Kafka",
        "KafkaNodePool",
        "KafkaTopic",
        "KafkaUser",
        "Cluster",
    }


def test_an_unknown_field_of_a_custom_object_is_refused(production: Rendered) -> None:
    needs_custom_schemas()
    broken = copy.deepcopy(production.one("KafkaUser", "table"))
    broken["spec"]["authorization"]["acls"][0]["operation"] = "Read"
    with pytest.raises(jsonschema.ValidationError, match="operation"):
        check_custom(broken)
