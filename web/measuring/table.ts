/** A table of whose views are replayed: the socket is the real one, but for what concerns this table. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Page, WebSocketRoute } from "playwright-core";

export interface ReplayedView {
  readonly type: "view";
  readonly table_id: string;
  readonly version: number;
  readonly view: { readonly round: number; readonly to_move: number | null; readonly you: number | null };
}

export class ReplayedTable {
  #socket: WebSocketRoute | null = null;
  readonly #views: AsyncIterator<string>;
  #last: ReplayedView | null = null;
  readonly #watched: Promise<void>;
  #say: () => void = () => undefined;

  constructor(file: string) {
    this.#views = createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();
    this.#watched = new Promise((resolve) => {
      this.#say = resolve;
    });
  }

  /** Stands between the page and its server from now on. */
  async install(page: Page): Promise<void> {
    await page.routeWebSocket(/\/v1\/ws$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        if (!this.#concerns(String(frame))) server.send(frame);
        else if (JSON.parse(String(frame)).type === "watch") this.#begin(socket);
      });
      server.onMessage((frame) => socket.send(frame));
    });
  }

  /** Resolves when the page has asked for the table and has its first view. */
  async shown(): Promise<void> {
    await this.#watched;
    await this.next();
  }

  /** Sends the next view; null when there is none. */
  async next(): Promise<ReplayedView | null> {
    const line = await this.#views.next();
    if (line.done) return null;
    this.#last = JSON.parse(line.value);
    this.#socket?.send(line.value);
    return this.#last;
  }

  get last(): ReplayedView | null {
    return this.#last;
  }

  #begin(socket: WebSocketRoute): void {
    this.#socket = socket;
    this.#say();
  }

  #concerns(frame: string): boolean {
    return ["watch", "unwatch", "command", "say"].includes(JSON.parse(frame).type);
  }
}
