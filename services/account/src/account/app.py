"""The account service's parts: a ledger over `account.commands`, its outbox, and the inner door."""

from functools import partial
from pathlib import Path

from account.accounts import EVENTS, Accounts
from account.deletion import tell_again
from account.door import create_door
from account.handlers import Handlers
from account.house import HouseBots, forget_left_sessions
from account.ledger import DEAD, Ledger
from account.links import forget_old_links
from account.mail_sender import SENDERS, MailSender
from account.mutes import AccountMutes
from account.names import NameRule
from account.profiles import Profiles
from account.recovery import Recovery
from account.reserved import reserved_words
from account.routes.deletion import deletion_routes
from account.routes.export import export_routes
from account.routes.mail import mail_routes
from account.routes.profiles import profile_routes
from account.routes.reports import report_routes
from account.routes.sessions import session_routes
from account.routes.tokens import token_routes
from account.server import WebServer
from account.sessions import AccountSessions, forget_ended
from account.settings import AccountSettings
from account.signing import Signer
from account.sweeping import Sweeping
from account.tokens import Tokens
from account.unused import UnusedGuests
from bus.parts import kafka_parts
from bus.postgres import Database, Inbox, Outbox, Relay
from bus.process import Process
from bus.sender import LetterSender

SCHEMA = "account"
BOOKS_CONNECTIONS_MAX = 4
MIGRATIONS = str(Path(__file__).with_name("migrations"))


def build(settings: AccountSettings) -> Process:
    log, parts = kafka_parts(settings)
    dsn = settings.postgres_dsn.get_secret_value()
    database = Database(dsn, SCHEMA, (MIGRATIONS,), parts.tasks)
    # however many ask at the door, guests come in and what is done is told
    books = Database(dsn, SCHEMA, (MIGRATIONS,), parts.tasks, BOOKS_CONNECTIONS_MAX)
    inbox, outbox = Inbox(), Outbox()
    sender = LetterSender(log, "account-relay", [EVENTS, DEAD])
    relay = Relay(books, sender, parts, database)

    accounts = Accounts(outbox)
    signer = Signer(bytes.fromhex(settings.account_key.get_secret_value()))
    sessions = AccountSessions(accounts, signer)
    names = NameRule(reserved_words(settings.names_file))
    tokens = Tokens(accounts, sessions, names)
    ledger = Ledger(settings, books, outbox, Handlers(accounts, inbox), parts)
    sweeps = (forget_ended, inbox.forget_old, forget_old_links, forget_left_sessions, UnusedGuests(accounts).forget)
    sweeping = Sweeping(books, (*sweeps, partial(tell_again, accounts)), parts)
    smtp = settings.smtp_server
    mails = MailSender(database, smtp, settings.mail_from, parts) if smtp else None

    routers = (
        session_routes(database, accounts, sessions, HouseBots(accounts, sessions)),
        profile_routes(database, Profiles(accounts, names), AccountMutes(accounts)),
        token_routes(database, tokens),
        mail_routes(database, accounts, Recovery(accounts, sessions), mails),
        deletion_routes(database, accounts),
        export_routes(database),
        report_routes(database, accounts),
    )
    door = create_door(settings.inner_key.get_secret_value(), routers)
    server = WebServer(door, settings.account_host, settings.account_port)

    async def reading() -> bool:
        return ledger.reading

    return Process(
        name="account",
        start=(server.start, log.wait_for_brokers, database.start, books.start, sender.start, ledger.start),
        loops=(ledger.run, relay.run, server.run, sweeping.run, *([mails.run] * SENDERS if mails else [])),
        stop=(server.stop, ledger.stop, relay.stop, sender.stop, books.stop, database.stop, log.close),
        progress={"ledger": ledger.progress, "outbox": relay.progress, "sweeping": sweeping.progress}
        | ({"mails": mails.progress} if mails else {}),
        checks={"kafka": log.answers, "postgres": database.answers, "reading": reading, "accepting": server.accepting},
    )
