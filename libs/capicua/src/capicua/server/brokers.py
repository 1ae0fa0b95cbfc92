"""What tools that read logs ask of the brokers, and what they say when nothing can be read."""

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from pydantic import ValidationError

from bus.access import KafkaAccess
from bus.records import LogTruncated, LogUnavailable

UNREAD = (ValidationError, KafkaError, LogTruncated, LogUnavailable, OSError)


def why_unread(error: Exception) -> str:
    """A sentence about one of `UNREAD`; of a wrong environment it repeats nothing."""
    if isinstance(error, ValidationError):
        return f"The log cannot be read: {error.errors(include_input=False)[0]['msg']}."
    if isinstance(error, LogTruncated):
        return f"The log cannot be read: {error}."
    return f"The log cannot be read ({type(error).__name__}): is Capicua up? 'capicua status' tells."


async def list_topics(address: str, access: KafkaAccess) -> set[str]:
    """Those that `access` may see. Raises what a broker raises that does not answer."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address, **access.client_settings())
    try:
        await admin.start()
        return set(await admin.list_topics())
    finally:
        await admin.close()
