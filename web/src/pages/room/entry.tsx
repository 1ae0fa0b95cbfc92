/** Without a code: the way into a room that somebody has told of. */
import { useLocation } from "preact-iso";
import { t } from "../../texts";
import { Card } from "../../ui";
import { CodeForm } from "./code-form";

export function Entry({ error }: { error?: string | null }) {
  const { route } = useLocation();
  return (
    <Card title={t("room.enter-title")}>
      <p>{t("room.enter-hint")}</p>
      <CodeForm
        action={t("room.enter")}
        kind="plain"
        error={error ?? null}
        onCode={(code) => route(`/room/${code}`)}
      />
    </Card>
  );
}
