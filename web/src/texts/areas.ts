/** The catalogues by area, and the keys that they have: what English says, the others say too (a test sees to it). */
import type common from "./en/common.json";
import type guide from "./en/guide.json";
import type join from "./en/join.json";
import type me from "./en/me.json";
import type practice from "./en/practice.json";
import type queue from "./en/queue.json";
import type recover from "./en/recover.json";
import type refusals from "./en/refusals.json";
import type report from "./en/report.json";
import type room from "./en/room.json";
import type rooms from "./en/rooms.json";
import type rules from "./en/rules.json";
import type shell from "./en/shell.json";
import type start from "./en/start.json";
import type table from "./en/table.json";
import type tv from "./en/tv.json";

interface Areas {
  common: typeof common;
  guide: typeof guide;
  join: typeof join;
  me: typeof me;
  practice: typeof practice;
  queue: typeof queue;
  recover: typeof recover;
  refusals: typeof refusals;
  report: typeof report;
  room: typeof room;
  rooms: typeof rooms;
  rules: typeof rules;
  shell: typeof shell;
  start: typeof start;
  table: typeof table;
  tv: typeof tv;
}

export type Area = keyof Areas;

/** Plural forms are one key. */
type Counted<Key> = Key extends `${infer Base}_${"one" | "few" | "many" | "other"}` ? Base : Key;

export type TextKey = { [A in Area]: `${A}.${Counted<keyof Areas[A]> & string}` }[Area];
