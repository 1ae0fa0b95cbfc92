/** Recomputes a deal: the commitment by SHA-256, the shuffle by HMAC-SHA256 in counter mode and Fisher and Yates with
 * rejection, as the rules page says in section 6. */

export interface Seeds {
  serverSeed: string;
  tableId: string;
  round: number;
  clientSeeds: readonly string[];
}

export interface Deal {
  hands: string[][];
  boneyard: string[];
  /** The seat by lot, where a lot decides the opener. */
  lot: number;
}

/** All 28 tiles in the order from which the shuffle starts: 0-0, 1-0, 1-1, 2-0 … 6-6. */
export const SET: readonly string[] = Array.from({ length: 7 }, (_, high) =>
  Array.from({ length: high + 1 }, (_, low) => `${high}-${low}`),
).flat();

/** Browsers give hashing to pages that came by a secure connection alone. */
export function canCheck(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = hex.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

export async function commitmentOf(serverSeed: string): Promise<string> {
  const hashed = await crypto.subtle.digest("SHA-256", bytesOf(serverSeed));
  return Array.from(new Uint8Array(hashed), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function dealOf(seeds: Seeds, handSize: number): Promise<Deal> {
  const below = await drawer(seeds);
  const tiles = [...SET];
  for (let last = tiles.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [tiles[last], tiles[other]] = [tiles[other] as string, tiles[last] as string];
  }
  const seats = seeds.clientSeeds.length;
  const hands = seeds.clientSeeds.map((_, seat) => tiles.slice(seat * handSize, (seat + 1) * handSize));
  return { hands, boneyard: tiles.slice(seats * handSize), lot: (await below(seats)) + 1 };
}

/** Gives numbers from 0 to limit - 1, all equally likely: bytes past the last whole multiple are passed over. */
async function drawer(seeds: Seeds): Promise<(limit: number) => Promise<number>> {
  const stream = byteStream(seeds);
  return async (limit) => {
    const bound = 256 - (256 % limit);
    for (;;) {
      const { value } = await stream.next();
      if (value !== undefined && value < bound) return value % limit;
    }
  };
}

async function* byteStream({ serverSeed, tableId, round, clientSeeds }: Seeds): AsyncGenerator<number, undefined> {
  const hashing = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(serverSeed), hashing, false, ["sign"]);
  const prefix = [tableId, String(round), ...clientSeeds].join(":");
  for (let block = 0; ; block += 1) {
    const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${prefix}:${block}`));
    yield* new Uint8Array(signed);
  }
}
