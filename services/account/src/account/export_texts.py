"""The README of an export, in every language."""

from contracts.account import Language

README: dict[Language, str] = {
    "en": """\
Your Capicua account {account}

Everything that is kept about you, as JSON. Times are milliseconds since 1970-01-01 UTC.

profile.json   what you are called and shown as, and your mail address if you have given one
sessions.json  where you are signed in, and when that was used last
tokens.json    your personal tokens, without their secrets: of those only a fingerprint is kept
programs.json  your declared bots
guests.json    the guests whose matches are yours since you came back to this account on their devices
mutes.json     whom you do not want to hear
links.json     the links by mail that were asked for, of the last day
reports.json   the problems that you have reported, and our answers
matches.json   the last fifty matches that you finished; "replay" is the address at which each can be had whole

Matches are kept for ever, and not under your name. What is said at tables is kept for a day and is in no file.
""",
    "de": """\
Dein Capicua-Konto {account}

Alles, was über dich aufbewahrt wird, als JSON. Zeiten sind Millisekunden seit 1970-01-01 UTC.

profile.json   wie du heißt und aussiehst, und deine Mailadresse, falls du eine angegeben hast
sessions.json  wo du angemeldet bist, und wann das zuletzt benutzt wurde
tokens.json    deine persönlichen Zugangsschlüssel ohne ihr Geheimnis: Davon gibt es nur einen Fingerabdruck
programs.json  deine angemeldeten Bots
guests.json    die Gäste, deren Partien dir gehören, seit du auf ihren Geräten in dieses Konto zurückgekommen bist
mutes.json     wen du nicht hören möchtest
links.json     die Links per Mail, die am letzten Tag angefordert wurden
reports.json   die Probleme, die du gemeldet hast, und unsere Antworten
matches.json   deine letzten fünfzig beendeten Partien; unter der Adresse „replay“ gibt es jede ganz

Partien bleiben für immer, aber nicht unter deinem Namen. Was an Tischen gesagt wird, bleibt einen Tag lang und steht in
keiner Datei.
""",
    "pl": """\
Twoje konto Capicua {account}

Wszystko, co jest o Tobie przechowywane, w formacie JSON. Czas podany jest w milisekundach od 1970-01-01 UTC.

profile.json   Twoja nazwa i wygląd oraz adres e-mail, jeśli go podano
sessions.json  gdzie jesteś zalogowany i kiedy ostatnio z tego korzystano
tokens.json    Twoje osobiste tokeny bez tajnych kodów: przechowujemy tylko ich skrót
programs.json  Twoje zgłoszone boty
guests.json    goście, których partie należą do Ciebie od powrotu do tego konta na ich urządzeniach
mutes.json     kogo nie chcesz słyszeć
links.json     linki wysłane pocztą, o które proszono w ostatnim dniu
reports.json   zgłoszone przez Ciebie problemy i nasze odpowiedzi
matches.json   ostatnie pięćdziesiąt partii, które rozegrałeś do końca; pod adresem „replay” jest każda w całości

Partie zostają na zawsze, ale nie pod Twoją nazwą. Rozmowy przy stołach trzymamy przez dobę i nie ma ich w żadnym pliku.
""",
}
