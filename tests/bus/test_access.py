"""Who a client of Kafka is to the brokers."""

import pytest
from pydantic import ValidationError

from bus.access import KafkaAccess
from bus.settings import BusSettings


def settings(**environment: str) -> BusSettings:
    return BusSettings.model_validate({"KAFKA_BOOTSTRAP": "here:9092", **environment})


def test_nobody_in_particular_speaks_plainly() -> None:
    assert KafkaAccess.of(settings()).client_settings() == {"security_protocol": "PLAINTEXT"}


def test_a_name_and_a_password_make_a_principal() -> None:
    access = KafkaAccess.of(settings(KAFKA_USERNAME="timer", KAFKA_PASSWORD="hush"))
    assert access.client_settings() == {
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "timer",
        "sasl_plain_password": "hush",
    }


def test_a_name_without_a_password_is_no_complete_environment() -> None:
    with pytest.raises(ValidationError, match="expected KAFKA_USERNAME and KAFKA_PASSWORD together"):
        settings(KAFKA_USERNAME="timer")


def test_the_password_is_not_in_what_is_printed() -> None:
    environment = settings(KAFKA_USERNAME="timer", KAFKA_PASSWORD="hush")
    assert "hush" not in repr(environment) + repr(KafkaAccess.of(environment))
