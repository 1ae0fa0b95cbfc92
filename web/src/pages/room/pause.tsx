/** Between the rounds of a `party` the host may have the next one dealt before its time. */
import { useEffect, useState } from "preact/hooks";
import { useClient } from "../../client/context";
import type { TableFollow } from "../../client/types";
import { t } from "../../texts";
import { Button, Notice } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import type { Doing } from "./use-doing";

export function endsPauses(room: PrivateRoom): boolean {
  const next = room.ruleset.next_round ?? (room.ruleset.preset === "party" ? "host" : "all");
  return next === "host";
}

export interface PauseProps {
  room: PrivateRoom;
  tableId: string;
  doing: Doing;
  onCommand: (command: { type: string; [field: string]: unknown }) => Promise<unknown>;
}

export function Pause({ tableId, doing, onCommand }: PauseProps) {
  const client = useClient();
  const [table, setTable] = useState<TableFollow | null>(null);
  useEffect(() => {
    const follow = client.followTable(tableId);
    setTable(follow);
    return () => follow.stop();
  }, [client, tableId]);
  const view = table?.state.value?.view;
  if (view?.status !== "pausing") return null;
  return (
    <Notice
      kind="info"
      actions={
        <Button
          busy={doing.busy === "end-pause"}
          onClick={() => doing.run("end-pause", () => onCommand({ type: "end-pause", round: view.round }))}
        >
          {t("room.end-pause")}
        </Button>
      }
    >
      {t("room.pausing", { round: view.round })}
    </Notice>
  );
}
