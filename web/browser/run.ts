/** Plays one story: `node browser/run.ts STORY URL FOLDER`. What is to be looked at after a failure is kept in FOLDER. */
import { openChromium } from "../measuring/chromium.ts";
import { Stage } from "./stage.ts";

type Story = (stage: Stage) => Promise<void>;

async function play(name: string, url: string, folder: string): Promise<void> {
  const { default: story } = (await import(`./stories/${name}.ts`)) as { default: Story };
  const browser = await openChromium();
  const stage = new Stage(url, browser);
  try {
    await story(stage);
    if (stage.complaints.length > 0) throw new Error(`consoles complain:\n${stage.complaints.join("\n")}`);
  } catch (error) {
    await stage.keep(folder);
    throw error;
  } finally {
    await stage.close();
    await browser.close();
  }
}

const [name, url, folder] = process.argv.slice(2);
if (name === undefined || url === undefined || folder === undefined) throw new Error("expected: STORY URL FOLDER");
await play(name, url, folder);
