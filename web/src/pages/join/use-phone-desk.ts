/** What the parts of the table's page need of this phone's seat: the same desk, without a layout of its own. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useClient } from "../../client/context";
import type { PrivateRoomFollow, TableFollow } from "../../client/types";
import type { TableState } from "../../game/state";
import { t } from "../../texts";
import { refusalText } from "../../texts/refusal";
import { announce, toast } from "../../ui";
import type { PlayerCommand, PrivateRoom } from "../../wire/generated";
import { playCommand, randomSeed } from "../table/model/controls";
import { updateText } from "../table/model/sentences";
import type { Desk } from "../table/parts/desk";
import { nameAt } from "./names";

export function usePhoneDesk(room: PrivateRoom, tableId: string, me: string | null, follow: PrivateRoomFollow) {
  const client = useClient();
  const [table, setTable] = useState<TableFollow | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  useEffect(() => {
    const followed = client.followTable(tableId);
    setTable(followed);
    choose(null);
    return () => followed.stop();
  }, [client, tableId]);
  const state = table?.state.value ?? null;
  const nameOf = (account: string, seat: number) => nameAt(room, account, seat);
  const act = async (command: PlayerCommand) => {
    try {
      await table?.command(command);
    } catch (error) {
      toast(refusalText(error));
    }
  };
  useSitDown(state, act);
  useToldUpdates(state, nameOf);
  if (table === null || state === null) return { desk: null, table };
  const { view } = state;
  const desk: Desk = {
    state,
    view,
    nameOf,
    clock: client.clock,
    lost: client.connection.value.kind !== "open",
    room: room.code,
    hosts: room.host === me,
    rated: false,
    chosen: view.hand?.includes(chosen ?? "") ? chosen : null,
    choose,
    play: (play) => {
      choose(null);
      void act(playCommand(view, play));
    },
    act,
    endPause: () => follow.command({ type: "end-pause", round: view.round }).catch((error) => toast(refusalText(error))),
    talk: table.talk.value,
    say: (what) => table.say(what),
    muted: client.muted.value,
    mute: (account, muted) => client.mute(account, muted),
  };
  return { desk, table };
}

/** Once for a table: whoever has come to it sits down. */
function useSitDown(state: TableState | null, act: (command: PlayerCommand) => Promise<void>): void {
  const sat = useRef<string | null>(null);
  const view = state?.view;
  const seat = view?.you ? view.seats[view.you - 1] : undefined;
  const waits = view?.status === "waiting" && seat?.seated === false;
  useEffect(() => {
    if (!waits || view === undefined || sat.current === view.table_id) return;
    sat.current = view.table_id;
    void act({ type: "sit-down", client_seed: randomSeed() });
  });
}

function useToldUpdates(state: TableState | null, nameOf: (account: string, seat: number) => string): void {
  const version = state?.version;
  const before = useRef(version);
  useEffect(() => {
    if (state === null || version === before.current) return;
    const first = before.current === undefined;
    before.current = version;
    const { view } = state;
    const said = first ? "" : updateText(state.events, { view, nameOf });
    const mine = first && view.to_move !== null && view.to_move === view.you ? t("table.your-turn") : "";
    if (said || mine) announce(said || mine);
  });
}
