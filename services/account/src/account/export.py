"""All that is kept about somebody, as one archive: JSON files, and a README that says what they are."""

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from account.accounts import unknown_account
from account.export_texts import README
from bus.postgres import Connection
from bus.postgres.database import every, one

MEDIA_TYPE = "application/zip"
_PROFILE = """
SELECT account, kind, region, made_at, name, avatar, language, bot, address AS mail, kept_at
FROM accounts LEFT JOIN mail_addresses USING (account)
WHERE account = %s AND deleted_at IS NULL AND merged_into IS NULL
"""
_LISTS = {
    "sessions": "SELECT session, label, made_at, used_at FROM sessions WHERE account = %s AND scopes IS NULL"
    " ORDER BY made_at, session",
    "tokens": "SELECT session AS token, label, scopes, made_at, used_at FROM sessions"
    " WHERE account = %s AND scopes IS NOT NULL ORDER BY made_at, session",
    "programs": "SELECT account, name, made_at FROM accounts WHERE owner = %s ORDER BY made_at, account",
    "guests": "SELECT account, made_at FROM accounts WHERE merged_into = %s ORDER BY made_at, account",
    "mutes": "SELECT other AS account FROM mutes WHERE account = %s ORDER BY other",
    "links": "SELECT address, asked_at, used_at FROM links WHERE account = %s ORDER BY asked_at",
    "reports": "SELECT report, place, text, page, table_id, version, person, state, made_at, answer, answered_at"
    " FROM reports WHERE account IN (SELECT account FROM accounts WHERE account = %s OR merged_into = %s)"
    " ORDER BY made_at, report",
}
"""What there is of an account, by file: as often `%s` as the account's id is wanted."""


async def read_everything(connection: Connection, account: str) -> dict[str, Any]:
    """Contents by file name without suffix, all of one moment. Raises `Refused`."""
    await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    profile = await one(connection, _PROFILE, account)
    if profile is None:
        raise unknown_account()
    lists = {name: await every(connection, query, *[account] * query.count("%s")) for name, query in _LISTS.items()}
    return {"profile": profile, **lists}


def archive(everything: Mapping[str, Any]) -> bytes:
    """The zip file of what `read_everything` has found."""
    profile = everything["profile"]
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr("README.txt", README[profile["language"]].format(account=profile["account"]))
        for name, content in everything.items():
            files.writestr(f"{name}.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return whole.getvalue()
