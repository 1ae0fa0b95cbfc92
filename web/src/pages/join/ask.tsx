/** The way into a room without its link: by its code, or back to where this browser has sat down before. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { t } from "../../texts";
import { Button, Card } from "../../ui";
import { spokenCode } from "../room/code";
import { CodeForm } from "../room/code-form";
import { joinedBefore } from "./joined";

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
