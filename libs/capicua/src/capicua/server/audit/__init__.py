"""The independent checker of deciders' logs: a second implementation of what makes a record count.

`audit` takes records from anywhere; `LogSource` reads them from a log.
"""

from capicua.server.audit.aggregates import TableHash
from capicua.server.audit.auditor import Auditor, End, Known, audit
from capicua.server.audit.report import Cause, Report, Violation, Void
from capicua.server.audit.source import LogSource

__all__ = ["Auditor", "Cause", "End", "Known", "LogSource", "Report", "TableHash", "Violation", "Void", "audit"]
