/** What has changed in a room, in sentences: for a reader's ears, as nobody sees all of a room at once. */
import { t } from "../../texts";
import type { PrivateRoom } from "../../wire/generated";
import { personOf } from "./seating";

export function newsOf(before: PrivateRoom, now: PrivateRoom, me: string | null): string[] {
  return [...comings(before, now, me), ...absences(before, now), ...states(before, now, me)];
}

function comings(before: PrivateRoom, now: PrivateRoom, me: string | null): string[] {
  const came = now.people.filter((person) => person.account !== me && personOf(before, person.account) === null);
  const left = before.people.filter((person) => person.account !== me && personOf(now, person.account) === null);
  return [
    ...came.map(({ name }) => t("room.news-came", { name })),
    ...left.map(({ name }) => t("room.news-left", { name })),
  ];
}

function absences(before: PrivateRoom, now: PrivateRoom): string[] {
  return now.people.flatMap((person) => {
    const was = personOf(before, person.account);
    if (was === null || Boolean(was.away) === Boolean(person.away)) return [];
    return [t(person.away ? "room.news-away" : "room.news-back", { name: person.name })];
  });
}

function states(before: PrivateRoom, now: PrivateRoom, me: string | null): string[] {
  const said: string[] = [];
  if (before.host !== now.host) {
    const name = personOf(now, now.host)?.name ?? "";
    said.push(now.host === me ? t("room.news-host-you") : t("room.news-host", { name }));
  }
  if (JSON.stringify(before.ruleset) !== JSON.stringify(now.ruleset)) said.push(t("room.news-options"));
  if (!before.starting && now.starting) said.push(t("room.starting"));
  if (!before.bots_missing && now.bots_missing) said.push(t("room.bots-missing"));
  if (!before.not_opened && now.not_opened) said.push(t("room.not-opened"));
  if (before.running && !now.running) said.push(t("room.news-over"));
  return said;
}
