/** Debian's Chromium, for measuring and for pictures. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** `CHROMIUM` names another one. Throws where there is none. */
export async function openChromium(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));
  if (executablePath === undefined) throw new Error("Chromium is not here: on Debian, apt-get install chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--js-flags=--expose-gc"] });
}
