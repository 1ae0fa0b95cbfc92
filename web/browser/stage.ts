/** Where a story is played: a browser, its people, and what their pages complain of. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Language, type Say, sayIn } from "./texts.ts";

const WAIT_MS = 15_000;
const DESK = { width: 1_024, height: 800 };
const PHONE = { width: 360, height: 740 };

export interface PersonOptions {
  language?: Language;
  theme?: "light" | "dark";
  phone?: boolean;
}

/** Somebody with a browser of their own. */
export interface Person {
  readonly name: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly say: Say;
  /** Goes to a path of the product. */
  goTo(path: string): Promise<void>;
}

export class Stage {
  readonly url: string;
  readonly #browser: Browser;
  readonly #people: Person[] = [];
  readonly #said: string[] = [];
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(url: string, browser: Browser) {
    this.url = url;
    this.#browser = browser;
  }

  async person(name: string, options: PersonOptions = {}): Promise<Person> {
    const { language = "en", theme = "light", phone = false } = options;
    const context = await this.#browser.newContext({
      viewport: phone ? PHONE : DESK,
      hasTouch: phone,
      locale: language,
      colorScheme: theme,
      reducedMotion: "reduce",
      baseURL: this.url,
    });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    this.#listen(name, page);
    const person: Person = {
      name,
      context,
      page,
      say: sayIn(language),
      goTo: async (path) => {
        await page.goto(path);
        await page.locator("main h1").waitFor({ state: "attached" });
      },
    };
    this.#people.push(person);
    return person;
  }

  /** Another tab of the same browser. */
  async tab(person: Person, name: string): Promise<Person> {
    const page = await person.context.newPage();
    this.#listen(name, page);
    const other: Person = {
      ...person,
      name,
      page,
      goTo: async (path) => {
        await page.goto(path);
        await page.locator("main h1").waitFor({ state: "attached" });
      },
    };
    this.#people.push(other);
    return other;
  }

  /** A browser complains in its console of what a story is about, such as a connection that it has cut. */
  expectComplaint(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Errors in consoles, breaches of the Content-Security-Policy among them, that no story is about. */
  get complaints(): readonly string[] {
    return this.#complaints.filter((complaint) => !this.#expected.some((pattern) => pattern.test(complaint)));
  }

  /** What everybody saw last, and what their consoles said. */
  async keep(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "console.txt"), `${this.#said.join("\n")}\n`);
    for (const { name, page } of this.#people) {
      const picture = await page.screenshot({ timeout: 5_000 }).catch(() => null);
      if (picture !== null) writeFileSync(join(folder, `${name}.png`), picture);
      const text = await page
        .locator("body")
        .ariaSnapshot({ timeout: 5_000 })
        .catch(() => "");
      writeFileSync(join(folder, `${name}.txt`), `${page.url()}\n${text}\n`);
    }
  }

  async close(): Promise<void> {
    for (const { context } of this.#people) await context.close();
  }

  #listen(name: string, page: Page): void {
    page.on("console", (message) => {
      const line = `${name}: ${message.type()}: ${message.text()} ${message.location().url}`;
      this.#said.push(line);
      if (message.type() === "error") this.#complaints.push(line);
    });
    page.on("pageerror", (error) => {
      this.#said.push(`${name}: ${error.stack ?? error.message}`);
      this.#complaints.push(`${name}: ${error.message}`);
    });
  }
}
