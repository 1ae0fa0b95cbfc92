/** What is said in the room: free words, as everybody here was let in, and phrases for those who have no hand free. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useClient } from "../../client/context";
import type { PrivateRoomFollow } from "../../client/types";
import { t } from "../../texts";
import { Button, Card, announce } from "../../ui";
import type { Talk as Said } from "../../wire/generated";
import { useDoing } from "./use-doing";
import "./talk.css";

const PHRASES = ["hello", "good-luck", "well-played", "thank-you", "one-moment", "again", "goodbye"] as const;
const CHARACTERS_MAX = 240;

export function wordsOf(said: Said): string {
  return said.phrase ? t(`common.phrase-${said.phrase}`) : (said.text ?? "");
}

export function Talk({ follow, me }: { follow: PrivateRoomFollow; me: string | null }) {
  const muted = useClient().muted.value;
  const heard = follow.talk.value.filter((said) => !muted.has(said.said_by));
  useHeard(heard, me);
  return (
    <Card title={t("room.talk")} class="room-talk">
      <Words heard={heard} me={me} />
      <Speak follow={follow} />
      <p class="room-talk__hint">{t("room.talk-hint")}</p>
    </Card>
  );
}

/** Only what is new since the page was opened is read out. */
function useHeard(heard: readonly Said[], me: string | null): void {
  const newest = heard.at(-1);
  const opened = useRef(Date.now());
  useEffect(() => {
    if (newest === undefined || newest.said_by === me || newest.at < opened.current) return;
    announce(t("room.says", { name: newest.name, words: wordsOf(newest) }));
  }, [newest, me]);
}

function Words({ heard, me }: { heard: readonly Said[]; me: string | null }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [heard.length]);
  if (heard.length === 0) return <p class="room-talk__empty">{t("room.talk-empty")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <ol class="room-talk__words" ref={list} tabIndex={0} aria-label={t("room.talk")}>
      {heard.map((said) => (
        <li key={`${said.said_by} ${said.at}`} class={said.said_by === me ? "room-talk__line room-talk__line--mine" : "room-talk__line"}>
          <span class="room-talk__name">{said.name}</span> {wordsOf(said)}
        </li>
      ))}
    </ol>
  );
}

function Speak({ follow }: { follow: PrivateRoomFollow }) {
  const [text, setText] = useState("");
  const doing = useDoing();
  const send = async (event: Event) => {
    event.preventDefault();
    const words = text.trim();
    if (words !== "" && (await doing.run("say", () => follow.say({ text: words })))) setText("");
  };
  return (
    <>
      <form class="room-talk__form" onSubmit={send}>
        <input
          class="field__input"
          value={text}
          maxLength={CHARACTERS_MAX}
          aria-label={t("room.say-something")}
          placeholder={t("room.say-something")}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" busy={doing.busy !== null} disabled={text.trim() === ""}>
          {t("room.say")}
        </Button>
      </form>
      <fieldset class="room-talk__phrases">
        <legend class="visually-hidden">{t("room.phrases")}</legend>
        {PHRASES.map((phrase) => (
          <Button key={phrase} kind="quiet" onClick={() => doing.run("say", () => follow.say({ phrase }))}>
            {t(`common.phrase-${phrase}`)}
          </Button>
        ))}
      </fieldset>
      {doing.error && (
        <p class="room-talk__error" role="alert">
          {doing.error}
        </p>
      )}
    </>
  );
}
