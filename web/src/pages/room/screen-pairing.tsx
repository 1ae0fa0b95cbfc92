/** A television shows a code of its own; the host types it here. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Card, toast } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import { CodeForm } from "./code-form";
import { useDoing } from "./use-doing";

export function ScreenPairing({ room }: { room: PrivateRoom }) {
  const client = useClient();
  const doing = useDoing();
  const [paired, setPaired] = useState(0);
  const pair = async (pairing: string) => {
    const path = `/v1/private-rooms/${room.code}/screens`;
    if (await doing.run("pair", () => client.request("POST", path, { pairing }))) {
      setPaired(paired + 1);
      toast(t("room.screen-paired"));
    }
  };
  return (
    <Card title={t("room.screen-title")} level={3}>
      <p>{t("room.screen-hint", { address: `${location.host}/tv` })}</p>
      {(room.screens ?? 0) > 0 && <p class="room__screens">{t("room.screens", { count: room.screens ?? 0 })}</p>}
      <CodeForm
        key={paired}
        label={t("room.screen-code")}
        action={t("room.screen-pair")}
        kind="plain"
        busy={doing.busy !== null}
        error={doing.error}
        onCode={pair}
      />
    </Card>
  );
}
