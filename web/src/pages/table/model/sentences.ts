/** What has happened, in sentences for the live region and for the passing notes on the table. */
import { t } from "../../../texts";
import { formatList } from "../../../ui";
import type { TableEventView, TableView } from "../../../game/view";
import { sidesOf } from "./rulesets";
import type { NameOf } from "./seating";

export interface Told {
  view: TableView;
  nameOf: NameOf;
}

export function seatName({ view, nameOf }: Told, seat: number): string {
  const entry = view.seats[seat - 1];
  if (seat === view.you) return t("common.you");
  return entry ? nameOf(entry.account, seat) : t("common.seat", { seat });
}

/** "6 and 3": the different numbers, in the order of the ends. */
export function numbersText(numbers: readonly number[]): string {
  return formatList([...new Set(numbers)].map(String));
}

export function endsText(ends: TableView["ends"]): string {
  return numbersText(Object.values(ends).filter((number) => number !== undefined));
}

/** One sentence for an event; none for what people need not hear of. */
export function sentenceOf(event: TableEventView, told: Told): string | null {
  const { view } = told;
  const seat = "seat" in event && typeof event.seat === "number" ? event.seat : 0;
  const who = { name: seat ? seatName(told, seat) : "", mine: seat !== 0 && seat === view.you };
  switch (event.type) {
    case "tile-played":
      return playedText(event, who);
    case "tiles-drawn":
      return who.mine
        ? t("table.you-drew", { count: event.count })
        : t("table.they-drew", { name: who.name, count: event.count });
    case "passed":
      return passedText(told, seat, who);
    case "round-dealt":
      return t("table.said-dealt", { round: event.round });
    case "round-ended":
      return roundEndedText(event, told);
    case "match-ended":
      return resultText(event.winner, told);
    default:
      return presenceText(event.type, who);
  }
}

interface Who {
  name: string;
  mine: boolean;
}

function playedText(event: Extract<TableEventView, { type: "tile-played" }>, { name, mine }: Who): string {
  const values = { name, tile: event.tile, ends: endsText(event.ends) };
  const house = event.by === "house";
  const key = house ? "table.said-house" : mine ? "table.said-you-played" : "table.said-played";
  const said = t(key, values);
  return event.points > 0 ? `${said} ${t("table.said-points", { count: event.points })}` : said;
}

function passedText({ view }: Told, seat: number, { name, mine }: Who): string {
  const ends = numbersText(view.passes.findLast((pass) => pass.seat === seat)?.ends ?? []);
  return mine ? t("table.said-you-passed", { ends }) : t("table.said-passed", { name, ends });
}

function roundEndedText(event: { winner: number | null; points: number; reason: string }, told: Told): string {
  if (event.winner === null) return t("table.round-tied");
  const mine = event.winner === told.view.you;
  const values = { name: seatName(told, event.winner), count: event.points };
  if (event.reason === "out") return t(mine ? "table.round-you-out" : "table.round-out", values);
  return t(mine ? "table.round-you-lowest" : "table.round-lowest", values);
}

function presenceText(type: TableEventView["type"], { name, mine }: Who): string | null {
  switch (type) {
    case "autopilot-started":
      return mine ? t("table.said-you-autopilot") : t("table.said-autopilot", { name });
    case "autopilot-stopped":
      return mine ? t("table.said-you-back") : t("table.said-back", { name });
    case "player-left":
      return mine ? null : t("table.said-left", { name });
    case "player-returned":
      return mine ? null : t("table.said-back", { name });
    case "turn-timed-out":
      return mine ? t("table.said-you-timed-out") : null;
    case "table-expired":
      return t("table.expired");
    default:
      return null;
  }
}

/** Who has won the match. */
export function resultText(winners: readonly number[], told: Told): string {
  const { view } = told;
  if (winners.length === 0) return t("table.drawn-match");
  if (view.you !== null && winners.includes(view.you)) {
    return view.ruleset.pairs ? t("table.your-pair-wins") : t("table.you-win");
  }
  return t("table.they-win", { name: formatList(winners.map((seat) => seatName(told, seat))) });
}

/** The name of a side: one person, or both of a pair. */
export function sideName(told: Told, side: number): string {
  return formatList((sidesOf(told.view.ruleset)[side] ?? []).map((seat) => seatName(told, seat)));
}

/** All that an update has brought, one sentence after the other, and whether it is the reader's turn now. */
export function updateText(events: readonly TableEventView[], told: Told): string {
  const said = events.map((event) => sentenceOf(event, told)).filter((sentence) => sentence !== null);
  const { view } = told;
  const turn = events.some((event) => event.type === "turn-started" && event.seat === view.you);
  if (turn && view.to_move === view.you) said.push(t("table.your-turn"));
  return said.join(" ");
}
