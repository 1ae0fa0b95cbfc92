/** A way to the product that can be cut: what is connected breaks, and nobody gets through. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class Way {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut = false;

  private constructor(target: URL) {
    this.#server = createServer((near) => this.#through(near, target));
  }

  static async to(url: string): Promise<Way> {
    const way = new Way(new URL(url));
    await new Promise<void>((resolve) => way.#server.listen(0, "127.0.0.1", resolve));
    return way;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the way is closed");
    return `http://127.0.0.1:${address.port}`;
  }

  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  mend(): void {
    this.#cut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #through(near: Socket, target: URL): void {
    if (this.#cut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => this.#sockets.delete(from));
      from.pipe(to);
    }
  }
}
