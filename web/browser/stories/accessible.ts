/** Axe finds nothing to complain of on any page, in any language, in the light or in the dark. */
import { SCENES, type Scene } from "../../pictures/scenes.ts";
import { violationsOn } from "../axe.ts";
import type { Stage } from "../stage.ts";
import { LANGUAGES } from "../texts.ts";

const AT_ONCE = 3;
const THEMES = ["light", "dark"] as const;

export default async function accessible(stage: Stage): Promise<void> {
  const found: string[] = [];
  const waiting = SCENES.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const scene of waiting) found.push(...(await violationsOf(stage, scene)));
  });
  await Promise.all(workers);
  if (found.length > 0) throw new Error(`axe complains:\n${found.join("\n")}`);
}

async function violationsOf(stage: Stage, scene: Scene): Promise<string[]> {
  const { page } = await stage.person(scene.name);
  const stop = await scene.play({ url: stage.url, page });
  const found: string[] = [];
  for (const language of LANGUAGES) {
    await page.evaluate((chosen) => localStorage.setItem("capicua.language", chosen), language);
    await page.reload();
    await page.locator(`html[lang=${language}] main h1`).waitFor({ state: "attached" });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      const violations = await violationsOn(page);
      found.push(...violations.map((violation) => `${scene.name}, ${language}, ${theme}: ${violation}`));
    }
  }
  stop?.();
  await page.close();
  return found;
}
