/** The tokens that there are: what they are called, what they may do, and when they were used last. */
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, formatList, formatRelative, Notice } from "../../ui";
import type { PersonalToken, PersonalTokens } from "../../wire/generated";
import { useDoing } from "../room/use-doing";

interface TokenListProps {
  tokens: readonly PersonalToken[];
  onTokens: (tokens: PersonalTokens["tokens"]) => void;
}

export function TokenList({ tokens, onTokens }: TokenListProps) {
  const client = useClient();
  const doing = useDoing();
  const end = (token: string) =>
    doing.run(token, async () => {
      onTokens((await client.request<PersonalTokens>("DELETE", `/v1/me/tokens/${token}`)).tokens);
    });
  return (
    <>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      {tokens.length === 0 && <p class="me__soft">{t("me.no-tokens")}</p>}
      <ul class="me__list">
        {tokens.map((token) => (
          <li class="me__line" key={token.token}>
            <span class="me__what">
              <span class="me__strong">{token.label}</span>
              <span class="me__soft">
                {formatList(token.scopes.map((scope) => t(`me.scope-${scope}`)))} · {usedText(token)}
              </span>
            </span>
            <Button kind="quiet" icon="trash" busy={doing.busy === token.token} onClick={() => end(token.token)}>
              {t("me.end-token")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function usedText(token: PersonalToken): string {
  if (!token.used_at) return t("me.token-unused");
  return t("me.session-used", { when: formatRelative(token.used_at, Date.now()) });
}
