"""How many files this process may have open. Every connection is one."""

import logging
import resource

log = logging.getLogger(__name__)
RESERVE = 96
"""For what is no client's: connections to the log and to Valkey, the health port, who is told that it is full."""
ENOUGH = 1_048_576
"""Where the system sets no limit at all."""


def raise_limit() -> int:
    """Lets the process have as many files open as it may ever have; how many those are."""
    was, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if most == resource.RLIM_INFINITY else most
    if was != resource.RLIM_INFINITY and was < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        except (ValueError, OSError) as error:  # a system may allow less than it says
            log.warning("the limit of open files stays as it is", extra={"fields": {"error": type(error).__name__}})
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = ENOUGH if limit == resource.RLIM_INFINITY else limit
    log.info("open files", extra={"fields": {"limit_was": was, "limit": limit}})
    return limit


def connections_max() -> int:
    """How many clients' connections this process carries, with the limit raised."""
    return max(1, raise_limit() - RESERVE)
