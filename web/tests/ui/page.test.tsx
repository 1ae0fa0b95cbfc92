// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { Page } from "../../src/ui";
import { draw } from "./rendering";

test("the first page of a visit leaves the focus alone, each that follows takes it to its heading", async () => {
  await draw(
    <Page key="start" title="Capicua">
      <p>Play</p>
    </Page>,
  );
  expect(document.title).toBe("Capicua");
  expect(document.activeElement).toBe(document.body);
  await draw(
    <Page key="me" title="Me">
      <p>My games</p>
    </Page>,
  );
  expect(document.title).toBe("Me – Capicua");
  expect(document.activeElement?.textContent).toBe("Me");
  await draw(
    <Page key="me" title="Ich">
      <p>Meine Partien</p>
    </Page>,
  );
  expect(document.title).toBe("Ich – Capicua");
});
