/** The people whose talk one is not sent. */
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, Card, Notice } from "../../ui";
import type { Mutes } from "../../wire/generated";
import { useDoing } from "../room/use-doing";
import { Answered } from "./answered";
import { useQuestion } from "./use-question";

export function Muted() {
  const client = useClient();
  const question = useQuestion<Mutes>("/v1/me/mutes");
  const doing = useDoing();
  const hear = (account: string) =>
    doing.run(account, async () => {
      await client.mute(account, false);
      question.again();
    });
  return (
    <Card title={t("me.muted")}>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      <Answered question={question}>
        {({ accounts, names }) =>
          accounts.length === 0 ? (
            <p class="me__soft">{t("me.nobody-muted")}</p>
          ) : (
            <ul class="me__list">
              {accounts.map((account) => (
                <li class="me__line" key={account}>
                  <span class="me__what me__strong">{names?.[account] ?? account}</span>
                  <Button kind="quiet" icon="sound" busy={doing.busy === account} onClick={() => hear(account)}>
                    {t("me.hear-again")}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
