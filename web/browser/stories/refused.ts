/** What the server refuses is a sentence in the person's language, where it was asked for. */
import type { Person, Stage } from "../stage.ts";
import { LANGUAGES } from "../texts.ts";

const NOBODYS_CODE = "ZZZZ22";

export default async function refused(stage: Stage): Promise<void> {
  stage.expectComplaint(/Failed to load resource: .* status of 4\d\d/);
  for (const language of LANGUAGES) {
    const person = await stage.person(`refused-${language}`, { language });
    await roomOfNobody(person);
    await tableOfNobody(person);
    await linkOfNobody(person);
  }
}

async function roomOfNobody({ page, say, goTo }: Person): Promise<void> {
  await goTo("/room");
  await page.getByLabel(say("room.code"), { exact: true }).fill(NOBODYS_CODE);
  await page.getByRole("button", { name: say("room.enter"), exact: true }).click();
  await told({ page, say }, "unknown-code");
}

async function tableOfNobody({ page, say, goTo }: Person): Promise<void> {
  await goTo("/table/01jqzx5m3k8w2v7t9r4p6n1c0d");
  await told({ page, say }, "unknown-table");
}

async function linkOfNobody({ page, say, goTo }: Person): Promise<void> {
  await goTo("/recover#nobody-was-ever-sent-this-link-0000000000000");
  await page.getByRole("button", { name: say("recover.use") }).click();
  await told({ page, say }, "bad-link");
}

async function told({ page, say }: Pick<Person, "page" | "say">, code: string): Promise<void> {
  await page
    .getByText(say(`refusals.${code}`))
    .first()
    .waitFor();
}
