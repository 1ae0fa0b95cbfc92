/** Quick phrases for people who sit in one room anyway, and the last that somebody said. */
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button } from "../../ui";
import type { Talk } from "../../wire/generated";
import { wordsOf } from "../room/talk";
import { useDoing } from "../room/use-doing";

const PHRASES = ["hello", "good-luck", "well-played", "hurry-up", "one-moment", "oops", "capicua", "thank-you"] as const;

interface PhrasesProps {
  say: (phrase: string) => Promise<void>;
  talk: readonly Talk[];
  me: string | null;
}

export function Phrases({ say, talk, me }: PhrasesProps) {
  const doing = useDoing();
  const muted = useClient().muted.value;
  const last = talk.filter((said) => !muted.has(said.said_by) && said.said_by !== me).at(-1);
  return (
    <details class="join__phrases">
      <summary>{last ? t("room.says", { name: last.name, words: wordsOf(last) }) : t("room.phrases")}</summary>
      <div class="join__phrase-row">
        {PHRASES.map((phrase) => (
          <Button key={phrase} onClick={() => doing.run("say", () => say(phrase))}>
            {t(`common.phrase-${phrase}`)}
          </Button>
        ))}
      </div>
      {doing.error && (
        <p role="alert" class="join__error">
          {doing.error}
        </p>
      )}
    </details>
  );
}
