/** Something that the server knows of this account: asked when the page opens, and replaced by what a change answers. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { refusalText } from "../../texts/refusal";

export interface Question<Answer> {
  answer: Answer | null;
  error: string | null;
  replace(answer: Answer): void;
  again(): void;
}

export function useQuestion<Answer>(path: string): Question<Answer> {
  const client = useClient();
  const account = client.account.value;
  const [answer, replace] = useState<Answer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again, and another account has other answers
  useEffect(() => {
    let gone = false;
    setError(null);
    client.request<Answer>("GET", path).then(
      (found) => !gone && replace(found),
      (failed: unknown) => !gone && setError(refusalText(failed)),
    );
    return () => {
      gone = true;
    };
  }, [client, path, account, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { answer, error, replace, again };
}
