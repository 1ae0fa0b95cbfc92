"""Decides from rendered NetworkPolicies whether one pod may open a connection to another.

The rules are those of the Kubernetes documentation: a pod that no policy of a direction selects is open in it; else
some rule of some such policy has to let the connection pass, at both of its ends.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.deploy.rendered import Manifest, Rendered

NAMESPACE_NAME = "kubernetes.io/metadata.name"


@dataclass(frozen=True)
class End:
    """A pod: the name of its namespace and its labels."""

    namespace: str
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Network:
    """The policies of one namespace; other namespaces have none."""

    namespace: str
    policies: tuple[Manifest, ...]

    @classmethod
    def of(cls, rendered: Rendered) -> "Network":
        (namespace,) = rendered.of("Namespace")
        return cls(namespace["metadata"]["name"], tuple(rendered.of("NetworkPolicy")))

    def allows(self, source: End, target: End, port: int, protocol: str = "TCP") -> bool:
        leaves = self._passes("Egress", source, target, port, protocol)
        return leaves and self._passes("Ingress", target, source, port, protocol)

    def _passes(self, direction: str, pod: End, other: End, port: int, protocol: str) -> bool:
        if pod.namespace != self.namespace:
            return True
        selecting = [
            policy["spec"]
            for policy in self.policies
            if direction in policy["spec"]["policyTypes"] and matches(policy["spec"]["podSelector"], pod.labels)
        ]
        rules = [rule for spec in selecting for rule in spec.get(direction.lower(), ())]
        return not selecting or any(self._lets_pass(rule, direction, other, port, protocol) for rule in rules)

    def _lets_pass(self, rule: Manifest, direction: str, other: End, port: int, protocol: str) -> bool:
        peers = rule.get("to" if direction == "Egress" else "from", ())
        return ports_include(rule.get("ports", ()), port, protocol) and (
            not peers or any(self._is_peer(peer, other) for peer in peers)
        )

    def _is_peer(self, peer: Manifest, other: End) -> bool:
        assert "ipBlock" not in peer, "pods are chosen by labels here"
        if "namespaceSelector" in peer:
            if not matches(peer["namespaceSelector"], {NAMESPACE_NAME: other.namespace}):
                return False
        elif other.namespace != self.namespace:
            return False
        return matches(peer.get("podSelector", {}), other.labels)


def ports_include(ports: Iterable[Manifest], port: int, protocol: str) -> bool:
    listed = list(ports)
    return not listed or any(each["port"] == port and each.get("protocol", "TCP") == protocol for each in listed)


def matches(selector: Manifest, labels: dict[str, str]) -> bool:
    """An empty selector matches everything."""
    wanted: dict[str, str] = selector.get("matchLabels", {})
    return wanted.items() <= labels.items() and all(
        _expression_holds(expression, labels) for expression in selector.get("matchExpressions", ())
    )


def _expression_holds(expression: Manifest, labels: dict[str, str]) -> bool:
    assert expression["operator"] == "In", "other operators are not used"
    return labels.get(expression["key"]) in expression["values"]
