/** A phone becomes one private hand, beside a screen that everybody looks at. */
import { useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { t } from "../../texts";
import { Button, Card, Notice, Page } from "../../ui";
import { isCode, spokenCode, typedCode } from "../room/code";
import { CodeForm } from "../room/code-form";
import { joinedBefore } from "./joined";
import { Phone } from "./phone";
import "../room/room.css";
import "./join.css";

export default function JoinPage() {
  const { params } = useRoute();
  const said = params.code;
  const code = said === undefined ? null : typedCode(said);
  if (code !== null && isCode(code)) return <Phone code={code} key={code} />;
  return (
    <Page title={t("join.title")} lead={t("join.lead")} width="narrow">
      {said !== undefined && <Notice kind="error">{t("room.no-such-code", { code: said })}</Notice>}
      <Ask />
    </Page>
  );
}

export function Ask() {
  const { route } = useLocation();
  const [before] = useState(joinedBefore);
  return (
    <>
      {before !== null && (
        <Card title={t("join.back-title", { code: spokenCode(before) })}>
          <Button kind="primary" large wide href={`/join/${before}`}>
            {t("join.back")}
          </Button>
        </Card>
      )}
      <Card title={t("join.code-title")}>
        <p>{t("join.code-hint")}</p>
        <CodeForm
          action={t("common.next")}
          kind={before === null ? "primary" : "plain"}
          onCode={(code) => route(`/join/${code}`)}
        />
      </Card>
    </>
  );
}
