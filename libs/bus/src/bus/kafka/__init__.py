"""The adapter to Apache Kafka: the ports of `bus.records` on aiokafka 0.14, with every unsafe default set by hand."""

from bus.kafka.log import KafkaLog
from bus.kafka.membership import KafkaMembership
from bus.kafka.reader import KafkaReader
from bus.kafka.writer import KafkaWriter

__all__ = ["KafkaLog", "KafkaMembership", "KafkaReader", "KafkaWriter"]
