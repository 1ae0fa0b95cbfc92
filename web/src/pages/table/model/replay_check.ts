/** Checks every deal of a finished match from its whole log: commitments, seeds, hands, boneyards and lots. */
import type { Replay } from "../../../wire/generated";
import { commitmentOf, dealOf, type Deal } from "./fairness";

export interface RoundCheck {
  round: number;
  commitment: string;
  serverSeed: string;
  clientSeeds: readonly string[];
  /** What does not follow; null where all does. */
  wrong: "missing" | "commitment" | "deal" | null;
}

interface Dealt {
  commitment?: string;
  serverSeed?: string;
  clientSeeds?: readonly string[];
  hands?: readonly string[];
  boneyard?: string;
}

type Logged = { type: string; [field: string]: unknown };

export async function checkReplay(replay: Replay, handSize: number): Promise<RoundCheck[]> {
  const rounds = collect(replay.outcomes.flatMap((outcome) => outcome.events as unknown as Logged[]));
  const checks = [...rounds].map(([round, dealt]) => checkRound(replay.table_id, round, dealt, handSize));
  return (await Promise.all(checks)).filter((check) => check !== null);
}

function collect(events: readonly Logged[]): Map<number, Dealt> {
  const rounds = new Map<number, Dealt>();
  for (const event of events) {
    const round = Number(event.round);
    const known = rounds.get(round) ?? {};
    if (event.type === "round-committed") rounds.set(round, { ...known, commitment: String(event.commitment) });
    if (event.type === "seed-revealed") rounds.set(round, { ...known, serverSeed: String(event.server_seed) });
    if (event.type === "round-dealt") {
      const { hands, boneyard, client_seeds: clientSeeds } = event;
      rounds.set(round, { ...known, hands, boneyard, clientSeeds } as Dealt);
    }
  }
  return rounds;
}

/** Null for a round that was committed to and never dealt. */
async function checkRound(tableId: string, round: number, dealt: Dealt, handSize: number): Promise<RoundCheck | null> {
  const { commitment = "", serverSeed = "", clientSeeds = [], hands } = dealt;
  if (hands === undefined) return null;
  const shown = { round, commitment, serverSeed, clientSeeds };
  if (!commitment || !serverSeed) return { ...shown, wrong: "missing" };
  if ((await commitmentOf(serverSeed)) !== commitment) return { ...shown, wrong: "commitment" };
  const deal = await dealOf({ serverSeed, tableId, round, clientSeeds }, handSize);
  return { ...shown, wrong: sameDeal(deal, hands, dealt.boneyard ?? "") ? null : "deal" };
}

function sameDeal(deal: Deal, hands: readonly string[], boneyard: string): boolean {
  const dealt = deal.hands.map((hand) => hand.join(" "));
  return dealt.join("|") === hands.join("|") && deal.boneyard.join(" ") === boneyard;
}
