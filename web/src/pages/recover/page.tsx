/** Where the link of a mail leads. Nothing happens before a person presses the button: whatever reads mails follows
 * links as well, and this one works once. */
import { useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { useClient } from "../../client/context";
import { Refused } from "../../client/types";
import { t } from "../../texts";
import { refusalText } from "../../texts/refusal";
import { Button, Card, Notice, Page } from "../../ui";
import { MailForm } from "../me/keep";
import { codeOfLink } from "./code-of-link";
import "../me/me.css";

type State = { kind: "asks" } | { kind: "works" } | { kind: "failed"; error: unknown } | { kind: "done"; guest: boolean };

export default function RecoverPage() {
  const { params } = useRoute();
  const [code] = useState(() => codeOfLink(params.code, location.hash));
  return (
    <Page title={t("recover.title")} width="narrow">
      {code === null ? <Ask /> : <Confirm code={code} />}
    </Page>
  );
}

/** Without a link: the way to one. */
function Ask() {
  const { route } = useLocation();
  const [typed, setTyped] = useState("");
  const use = (event: Event) => {
    event.preventDefault();
    const code = codeOfLink(typed, "");
    if (code !== null) route(`/recover/${code}`);
  };
  return (
    <>
      <Card title={t("recover.ask")}>
        <MailForm action={t("recover.send")} hint={t("recover.ask-hint")} />
      </Card>
      <Card title={t("recover.have-code")}>
        <form class="me__form" onSubmit={use}>
          <label class="field">
            <span class="field__label">{t("recover.code")}</span>
            <input class="field__input" value={typed} autocomplete="one-time-code" onInput={(event) => setTyped(event.currentTarget.value)} />
          </label>
          <Button type="submit" disabled={codeOfLink(typed, "") === null}>
            {t("common.next")}
          </Button>
        </form>
      </Card>
    </>
  );
}

function Confirm({ code }: { code: string }) {
  const client = useClient();
  const [state, setState] = useState<State>({ kind: "asks" });
  const use = async () => {
    const before = client.account.value;
    setState({ kind: "works" });
    try {
      await client.recover(code);
      history.replaceState(null, "", "/recover");
      setState({ kind: "done", guest: before !== null && before !== client.account.value });
    } catch (error) {
      setState({ kind: "failed", error });
    }
  };
  if (state.kind === "done") return <Done guest={state.guest} />;
  if (state.kind === "failed" && isFinal(state.error)) {
    return (
      <>
        <Notice kind="error">{refusalText(state.error)}</Notice>
        <Ask />
      </>
    );
  }
  return (
    <Card title={t("recover.confirm-title")}>
      <p>{t("recover.confirm")}</p>
      {client.account.value !== null && <Notice kind="info">{t("recover.guest-here")}</Notice>}
      {state.kind === "failed" && <Notice kind="error">{refusalText(state.error)}</Notice>}
      <div class="me__actions">
        <Button kind="primary" large busy={state.kind === "works"} onClick={use}>
          {t("recover.use")}
        </Button>
        <Button kind="quiet" href="/">
          {t("recover.not-me")}
        </Button>
      </div>
    </Card>
  );
}

/** The link will never work any more. */
function isFinal(error: unknown): boolean {
  return error instanceof Refused && ["bad-link", "link-used", "link-expired"].includes(error.code);
}

function Done({ guest }: { guest: boolean }) {
  const name = useClient().name.value;
  return (
    <Card title={t("recover.done-title")}>
      <Notice kind="success">{name === null ? t("recover.done") : t("recover.done-name", { name })}</Notice>
      {guest && <p>{t("recover.merged")}</p>}
      <div class="me__actions">
        <Button kind="primary" href="/">
          {t("recover.to-start")}
        </Button>
        <Button href="/me">{t("recover.to-account")}</Button>
      </div>
    </Card>
  );
}
