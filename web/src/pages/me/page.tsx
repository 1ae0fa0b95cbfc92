/** The account of this browser: what others see of it, how it is kept, where it is signed in, and all that is known. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { refusalText } from "../../texts/refusal";
import { Button, Card, Notice, Page, ReportButton } from "../../ui";
import type { Profile } from "../../wire/generated";
import { Answered } from "./answered";
import { Data } from "./data";
import { Keep } from "./keep";
import { Looks } from "./looks";
import { Muted } from "./muted";
import { Programs } from "./programs";
import { Reports } from "./reports";
import { Sessions } from "./sessions";
import { useQuestion } from "./use-question";
import "./me.css";

export default function MePage() {
  const client = useClient();
  return (
    <Page title={t("me.title")} lead={t("me.lead")} width="wide">
      {client.account.value === null ? <Nobody /> : client.passing.value ? <Passing /> : <Account />}
    </Page>
  );
}

/** Before this browser has an account. */
function Nobody() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const begin = async () => {
    setBusy(true);
    try {
      await client.ensure();
    } catch (failed) {
      setError(refusalText(failed));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={t("me.nobody-title")}>
      <p>{t("me.nobody")}</p>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="me__actions">
        <Button kind="primary" busy={busy} onClick={begin}>
          {t("me.begin")}
        </Button>
        <Button kind="quiet" href="/recover">
          {t("me.have-account")}
        </Button>
      </div>
    </Card>
  );
}

/** A guest of this browser session alone has nothing that could be kept. */
function Passing() {
  const question = useQuestion<Profile>("/v1/me/profile");
  return (
    <div class="me">
      <div class="me__column">
        <Notice kind="info">{t("me.passing")}</Notice>
        <Answered question={question}>{(profile) => <Looks profile={profile} onProfile={question.replace} />}</Answered>
      </div>
      <div class="me__column">
        <Muted />
        <ReportButton place="page" />
      </div>
    </div>
  );
}

function Account() {
  const question = useQuestion<Profile>("/v1/me/profile");
  return (
    <Answered question={question}>
      {(profile) => (
        <div class="me">
          <div class="me__column">
            <Looks profile={profile} onProfile={question.replace} />
            <Keep profile={profile} onAgain={question.again} />
            <Sessions />
          </div>
          <div class="me__column">
            <Muted />
            <Reports />
            <Programs profile={profile} onProfile={question.replace} onAgain={question.again} />
            <Data profile={profile} />
          </div>
        </div>
      )}
    </Answered>
  );
}
