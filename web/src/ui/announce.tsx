/** What changed, in a sentence: for those who listen (`announce`), or for everybody's eyes as well (`toast`). */
import { signal } from "@preact/signals";
import "./announce.css";

const TOAST_MS = 5_000;
const TOASTS_MAX = 3;

/** Two regions take turns: the same sentence twice is then said twice. */
const said = signal({ text: "", turn: 0 });
const toasts = signal<readonly { id: number; text: string }[]>([]);
let count = 0;

export function announce(sentence: string): void {
  said.value = { text: sentence, turn: said.value.turn + 1 };
}

export function toast(sentence: string): void {
  const id = ++count;
  toasts.value = [...toasts.value.slice(1 - TOASTS_MAX), { id, text: sentence }];
  announce(sentence);
  setTimeout(() => {
    toasts.value = toasts.value.filter((shown) => shown.id !== id);
  }, TOAST_MS);
}

/** Stands once in the document, from its beginning: readers hear only regions that they know already. */
export function Announcements() {
  const { text, turn } = said.value;
  return (
    <>
      <div class="visually-hidden" aria-live="polite">
        <p>{turn % 2 === 0 ? text : ""}</p>
        <p>{turn % 2 === 1 ? text : ""}</p>
      </div>
      <div class="toasts" aria-hidden="true">
        {toasts.value.map((shown) => (
          <p class="toasts__toast" key={shown.id}>
            {shown.text}
          </p>
        ))}
      </div>
    </>
  );
}
