/** What the parts of the page share: the table as it stands, and what may be done at it. */
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Talk } from "../../../wire/generated";
import type { PlayerCommand } from "../../../wire/generated";
import type { ServerClock } from "../../../client/types";
import type { TableState } from "../../../game/state";
import type { TableView } from "../../../game/view";
import type { LegalPlay } from "../model/controls";
import type { Told } from "../model/sentences";

export interface Desk extends Told {
  state: TableState;
  view: TableView;
  clock: ServerClock;
  /** The connection is gone: what is seen is the last that was known. */
  lost: boolean;
  /** The private room's code, where the table belongs to one. */
  room: string | null;
  /** I may end the pause for all, as the room's host. */
  hosts: boolean;
  /** The match counts towards ratings; null while unknown. */
  rated: boolean | null;
  chosen: string | null;
  choose(tile: string | null): void;
  play(play: LegalPlay): void;
  act(command: PlayerCommand): Promise<void>;
  endPause(): Promise<void>;
  talk: readonly Talk[];
  say(what: { phrase?: string; text?: string }): Promise<void>;
  muted: ReadonlySet<string>;
  mute(account: string, muted: boolean): Promise<void>;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("a part of the table outside of a table");
  return desk;
}

const TICK_MS = 250;

/** The server's time, read again four times a second while something runs; it stands still without a connection. */
export function useNow(running: boolean): number {
  const { clock, lost } = useDesk();
  const [now, setNow] = useState(() => clock.now());
  const ticks = running && !lost;
  useEffect(() => {
    if (!ticks) return;
    setNow(clock.now());
    const timer = setInterval(() => setNow(clock.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [ticks, clock]);
  return now;
}
