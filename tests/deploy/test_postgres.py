"""The database of what is personal: what its operator is asked for, and how the service that may use it comes in."""

from tests.deploy.rendered import Manifest, Rendered

from capicua.server.processes import PROCESSES, Need

OPERATORS_SECRETS = {"postgres-app", "postgres-ca"}


def cluster(rendered: Rendered) -> Manifest:
    return dict(rendered.one("Cluster", "postgres")["spec"])


def test_the_database_is_the_account_services_own(rendered: Rendered) -> None:
    made = cluster(rendered)["bootstrap"]["initdb"]
    assert (made["database"], made["owner"]) == ("account", "account")
    assert cluster(rendered)["enableSuperuserAccess"] is False
    assert {process.name for process in PROCESSES if Need.POSTGRES in process.needs} == {"account"}


def test_text_sorts_as_in_the_local_database_whatever_the_machine(rendered: Rendered) -> None:
    made = cluster(rendered)["bootstrap"]["initdb"]
    assert (made["encoding"], made["localeProvider"], made["builtinLocale"]) == ("UTF8", "builtin", "C.UTF-8")


def test_what_was_answered_is_on_two_machines(production: Rendered) -> None:
    spec = cluster(production)
    assert spec["instances"] == 3
    assert spec["postgresql"]["synchronous"] == {"method": "any", "number": 1, "dataDurability": "required"}
    assert spec["affinity"]["podAntiAffinityType"] == "required"


def test_nobody_speaks_to_it_in_the_clear_and_its_certificate_is_looked_at(rendered: Rendered) -> None:
    assert "hostnossl all all all reject" in cluster(rendered)["postgresql"]["pg_hba"]
    for workload in rendered.processes:
        if workload.name == "account":
            told = rendered.environment(workload)
            (mount,) = [each for each in workload.container["volumeMounts"] if each["name"] == "postgres-ca"]
            assert told["PGSSLMODE"] == "verify-full"
            assert told["PGSSLROOTCERT"] == f"{mount['mountPath']}/ca.crt"


def test_its_log_has_no_statement_and_no_value_of_a_row(rendered: Rendered) -> None:
    parameters = cluster(rendered)["postgresql"]["parameters"]
    assert parameters["log_error_verbosity"] == "terse"
    assert parameters["log_min_error_statement"] == "panic"
    assert parameters["log_parameter_max_length"] == parameters["log_parameter_max_length_on_error"] == "0"
    assert parameters.keys() & {"log_statement", "log_min_duration_statement"} == set()


def test_only_the_account_service_gets_what_the_operator_made(rendered: Rendered) -> None:
    for workload in rendered.workloads:
        named = {
            each["valueFrom"]["secretKeyRef"]["name"]
            for each in workload.container.get("env", ())
            if "valueFrom" in each
        }
        named |= {each["secret"]["secretName"] for each in workload.pod["volumes"] if "secret" in each}
        assert named & OPERATORS_SECRETS == (OPERATORS_SECRETS if workload.name == "account" else set()), workload.name
