/** Somebody who is at the product without a browser, or beside one: requests, and a socket that plays. */
import { randomUUID } from "node:crypto";
import type { Guest, PersonInRoomCommand, PrivateRoom, RoomMade, ToClient } from "../src/wire/generated.ts";

/** How far a table is played: so many tiles lie there and it is the person's turn. */
const TILES_LAID = 11;

interface Shown {
  status: string;
  you: number;
  to_move: number | null;
  turn: number;
  layout: unknown[];
  legal: string[];
  round: number;
}

export class Person {
  readonly #url: string;
  readonly account: string;
  readonly #token: string;
  readonly #sockets: WebSocket[] = [];

  constructor(url: string, account: string, token: string) {
    this.#url = url;
    this.account = account;
    this.#token = token;
  }

  static async guest(url: string, name: string): Promise<Person> {
    const made = await asked(`${url}/v1/guests`, json("POST", {}));
    const guest = (await made.json()) as Guest;
    const person = new Person(url, guest.account, guest.token);
    await person.request("PUT", "/v1/me/name", { name });
    return person;
  }

  async request<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await asked(this.#url + path, json(method, body, this.#token));
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** A room of this person's; it takes no seat of its own where others sit. */
  async openRoom(ruleset: object): Promise<string> {
    const made = await this.request<RoomMade>("POST", "/v1/private-rooms", { id: randomUUID(), ruleset });
    return made.code;
  }

  async inRoom(code: string, command: PersonInRoomCommand): Promise<void> {
    await this.request("POST", `/v1/private-rooms/${code}`, { id: randomUUID(), command });
  }

  async offerTable(pool: object): Promise<void> {
    await this.request("POST", "/v1/tables", { id: randomUUID(), pool });
  }

  /** Starts the room's match with this person on the first seat and house bots on the others; the table's id. */
  async startAgainstBots(code: string, account: string, seats: number): Promise<string> {
    const bots = Array.from({ length: seats - 1 }, () => ({ strength: "normal" as const }));
    await this.inRoom(code, { type: "arrange-seats", seats: [{ account }, ...bots] });
    await this.inRoom(code, { type: "start-match" });
    for (;;) {
      const room = await this.request<PrivateRoom>("GET", `/v1/private-rooms/${code}`);
      if (room.running && room.table_id !== null) return room.table_id;
      if (room.bots_missing) throw new Error("no house bots are here");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Stays connected, so that nothing of this person's ends for absence. */
  async stay(): Promise<WebSocket> {
    const socket = new WebSocket(`${this.#url.replace("http", "ws")}/v1/ws`);
    this.#sockets.push(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error("no socket")));
    });
    socket.send(JSON.stringify({ type: "hello", token: this.#token }));
    return socket;
  }

  /** Plays the heaviest legal tile until the table is worth a picture, and it is the own turn. */
  async playOn(tableId: string): Promise<void> {
    const socket = await this.stay();
    const command = (body: object) =>
      socket.send(JSON.stringify({ type: "command", id: randomUUID(), table_id: tableId, command: body }));
    await new Promise<void>((resolve) => {
      let answered = 0;
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as ToClient;
        if (message.type === "welcome") {
          socket.send(JSON.stringify({ type: "watch", table_id: tableId }));
          command({ type: "sit-down" });
        }
        if (message.type !== "view" || message.table_id !== tableId) return;
        const view = message.view as unknown as Shown;
        const mine = view.status === "playing" && view.to_move === view.you;
        if (view.status === "finished" || (mine && view.layout.length >= TILES_LAID)) resolve();
        else if (view.status === "pausing" && answered !== -view.round) {
          answered = -view.round;
          command({ type: "next-round", round: view.round });
        } else if (mine && answered !== view.turn) {
          answered = view.turn;
          command(action(view));
        }
      });
    });
    socket.close();
  }

  leave(): void {
    for (const socket of this.#sockets) socket.close();
  }
}

/** Asks again after as long as the server says, where so many pictures are too much at once. */
async function asked(url: string, request: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, request);
    if (answer.status !== 429) return answer;
    const seconds = Number(answer.headers.get("Retry-After") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

function action({ legal, turn }: Shown): object {
  const [best] = legal;
  if (best === "draw") return { type: "draw-tiles", turn };
  if (best === undefined || best === "pass") return { type: "pass-turn", turn };
  const [tile, end] = best.split("@");
  return { type: "play-tile", turn, tile, end };
}

function json(method: string, body?: object, token?: string): RequestInit {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  return body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
}
