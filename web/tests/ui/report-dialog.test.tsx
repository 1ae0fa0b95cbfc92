// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { ClientContext } from "../../src/client/context";
import { type Client, Refused } from "../../src/client/types";
import { startTexts } from "../../src/texts";
import { ReportButton } from "../../src/ui";
import { fakeClient } from "../shell/fake-client";
import { byText, doing, draw } from "./rendering";

beforeEach(() => startTexts("en", ["report", "refusals"]));

async function open(request: unknown): Promise<void> {
  const client = fakeClient({ ensure: async () => undefined, request: request as Client["request"] });
  await draw(
    <ClientContext.Provider value={client}>
      <ReportButton place="table" tableId="t1" version={41} rulesVersion={3} />
    </ClientContext.Provider>,
  );
  await doing(() => byText("button", "Report a problem").click());
  await vi.waitFor(() => byText("dialog h2", "Report a problem"));
}

async function write(text: string): Promise<void> {
  const field = document.querySelector("textarea") as HTMLTextAreaElement;
  await doing(() => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const send = () => doing(() => document.querySelector("form")?.requestSubmit());

test("a report goes out with the place, the table and the version, and its number is said", async () => {
  const request = vi.fn(async () => ({ report: "abcdefgh234567ij" }));
  await open(request);
  await send();
  expect(request).not.toHaveBeenCalled();
  await write("  The countdown stood still. ");
  await send();
  const report = { place: "table", text: "The countdown stood still.", table_id: "t1", version: 41, person: null };
  expect(request).toHaveBeenCalledExactlyOnceWith("POST", "/v1/reports", expect.objectContaining(report));
  expect(request.mock.calls.flat()).toContainEqual(expect.objectContaining({ page: expect.stringMatching(/rules 3/) }));
  expect(byText("dialog code", "abcdefgh234567ij")).toBeTruthy();
});

test("what is refused is said, and the text stays; sent again it is the same report", async () => {
  const request = vi.fn().mockRejectedValueOnce(new Refused("too-many-reports", "", "", 429, 60));
  request.mockResolvedValueOnce({ report: "abcdefgh234567ij" });
  await open(request);
  await write("Again");
  await send();
  expect(byText("[role=alert]", "wait before you send more").textContent).toContain("60 seconds");
  expect(document.querySelector("textarea")?.value).toBe("Again");
  await send();
  const [first, second] = request.mock.calls.map(([, , body]) => body.id);
  expect(first).toBe(second);
});
