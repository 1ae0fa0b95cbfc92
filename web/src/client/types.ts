/** What pages know of the client core: one object, made once by `createClient`, reached by `useClient()`. */
import type { ReadonlySignal } from "@preact/signals";
import type { TableState } from "../game/state";
import type {
  MatchCalledOff,
  PlayerCommand,
  PrivateRoom,
  QueueStatus,
  RoomList,
  SeatedAt,
  Talk,
} from "../wire/generated";

/** `lost`: tried again at `retryAt` (of `Date.now`). `outdated`: a newer client is served, reload when convenient. */
export type Connection =
  | { kind: "idle" }
  | { kind: "connecting" }
  | { kind: "open" }
  | { kind: "lost"; retryAt: number; offline: boolean }
  | { kind: "ended"; why: "signed-out" | "elsewhere" };

/** The server refused, with a stable code; `refusalText` makes a sentence of it. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly expected: string,
    readonly got: string,
    readonly status: number,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(code);
  }
}

/** No answer came, however often it was tried. */
export class Unreachable extends Error {}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The server's time, in milliseconds, as well as it can be told here. */
export interface ServerClock {
  now(): number;
}

export interface TableFollow {
  /** Null until the first view has come. Own moves are in it at once, marked as pending. */
  readonly state: ReadonlySignal<TableState | null>;
  /** Why the table cannot be shown, if it cannot. */
  readonly error: ReadonlySignal<Refused | null>;
  readonly talk: ReadonlySignal<readonly Talk[]>;
  /** Resolves when the outcome is known, rejects with `Refused`; safe to call with a lost connection: it is sent on. */
  command(command: PlayerCommand): Promise<void>;
  say(what: { phrase?: string; text?: string }): Promise<void>;
  stop(): void;
}

export interface RoomFollow {
  readonly list: ReadonlySignal<RoomList | null>;
  readonly error: ReadonlySignal<Refused | null>;
  stop(): void;
}

export interface PrivateRoomFollow {
  readonly room: ReadonlySignal<PrivateRoom | null>;
  readonly error: ReadonlySignal<Refused | null>;
  readonly talk: ReadonlySignal<readonly Talk[]>;
  /** POST /v1/private-rooms/{code} with a command of contracts/room_api.py. */
  command(command: { type: string; [field: string]: unknown }): Promise<void>;
  say(what: { phrase?: string; text?: string }): Promise<void>;
  stop(): void;
}

export interface Client {
  readonly connection: ReadonlySignal<Connection>;
  /** A newer build of this client is served. */
  readonly outdated: ReadonlySignal<boolean>;
  /** Null before this browser has an account: one is made by the first thing that needs it. */
  readonly account: ReadonlySignal<string | null>;
  /** What others call me; null while unknown. */
  readonly name: ReadonlySignal<string | null>;
  readonly muted: ReadonlySignal<ReadonlySet<string>>;
  /** The running tables at which I sit. */
  readonly seats: ReadonlySignal<readonly SeatedAt[]>;
  readonly queue: ReadonlySignal<QueueStatus | null>;
  readonly calledOff: ReadonlySignal<MatchCalledOff | null>;
  readonly clock: ServerClock;
  /** True where this seat belongs to this browser session alone (came by a phone's /join). */
  readonly passing: ReadonlySignal<boolean>;
  /** Makes the guest account where there is none, connects, and resolves when both are done. `passing`: one that is
   * made now is for this browser session alone. */
  ensure(how?: { passing?: boolean }): Promise<void>;
  /** With the token; a POST carries an idempotency key, and is repeated with it when no answer came. Rejects with
   * `Refused` or `Unreachable`. Commands whose body needs an `id` get one from `commandId()`. */
  request<T>(method: Method, path: string, body?: unknown): Promise<T>;
  /** GET of what is no JSON, such as the archive of an export. */
  download(path: string): Promise<Blob>;
  followTable(tableId: string): TableFollow;
  followRoom(preset: string): RoomFollow;
  followPrivateRoom(code: string): PrivateRoomFollow;
  rename(name: string): Promise<void>;
  mute(account: string, muted: boolean): Promise<void>;
  /** By the code of a mail; the browser is that account from then on. */
  recover(code: string): Promise<void>;
  signOutEverywhere(): Promise<void>;
  /** The account is no more: this browser has none from then on. */
  forget(): void;
  dismissCalledOff(): void;
  stop(): void;
}
