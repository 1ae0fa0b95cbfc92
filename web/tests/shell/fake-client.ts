// A client without a server, whose signals a test sets.
import { type Signal, signal } from "@preact/signals";
import type { Client, Connection } from "../../src/client/types";
import type { MatchCalledOff, SeatedAt } from "../../src/wire/generated";

interface Settable {
  connection: Signal<Connection>;
  outdated: Signal<boolean>;
  seats: Signal<readonly SeatedAt[]>;
  calledOff: Signal<MatchCalledOff | null>;
}

/** What a test does not give is not there: whoever uses it breaks. */
export function fakeClient(given: Partial<Client> = {}): Client & Settable {
  const settable: Settable = {
    connection: signal<Connection>({ kind: "open" }),
    outdated: signal(false),
    seats: signal<readonly SeatedAt[]>([]),
    calledOff: signal<MatchCalledOff | null>(null),
  };
  return { ...given, ...settable } as Client & Settable;
}

export function seatedAt(...tables: readonly string[]): readonly SeatedAt[] {
  return tables.map((table_id) => ({ table_id, region: "local" }));
}
