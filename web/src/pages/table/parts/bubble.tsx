/** What somebody has said just now, beside who said it. */
import { useEffect, useState } from "preact/hooks";
import type { Talk } from "../../../wire/generated";
import { textOf } from "../../../texts";
import { useDesk } from "./desk";
import "./bubble.css";

const SHOWN_MS = 6_000;

/** A phrase in the reader's language, or the text as it was written. */
export function talkText(said: Talk): string {
  if (said.text) return said.text;
  return said.phrase ? (textOf("common", `phrase-${said.phrase}`) ?? said.phrase) : "";
}

export function Bubble({ account }: { account: string }) {
  const { talk, clock, muted } = useDesk();
  const last = talk.findLast((said) => said.said_by === account);
  const [over, setOver] = useState<Talk | null>(null);
  const age = last ? clock.now() - last.at : SHOWN_MS;
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setOver(last), Math.max(0, SHOWN_MS - age));
    return () => clearTimeout(timer);
  }, [last]);
  if (!last || over === last || age >= SHOWN_MS || muted.has(account)) return null;
  return (
    <span class="bubble" aria-hidden="true">
      {talkText(last)}
    </span>
  );
}
