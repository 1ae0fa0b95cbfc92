/** The hand and its buttons: the layout is on the screen that everybody looks at. */
import { t } from "../../texts";
import { Loading, Notice, Page, ReportButton } from "../../ui";
import type { PrivateRoomFollow } from "../../client/types";
import { useClient } from "../../client/context";
import { refusalText } from "../../texts/refusal";
import type { PrivateRoom } from "../../wire/generated";
import { OwnArea } from "../table/parts/own_area";
import { DeskContext } from "../table/parts/desk";
import { RoundEnd } from "../table/parts/round_end";
import { Seats } from "../table/parts/seats";
import { resultText } from "../table/model/sentences";
import { Ends } from "./ends";
import { Phrases } from "./phrases";
import { usePhoneDesk } from "./use-phone-desk";

export interface PlayProps {
  room: PrivateRoom;
  tableId: string;
  me: string | null;
  follow: PrivateRoomFollow;
}

export function Play({ room, tableId, me, follow }: PlayProps) {
  const client = useClient();
  const { desk, table } = usePhoneDesk(room, tableId, me, follow);
  const error = table?.error.value ?? null;
  return (
    <Page title={t("join.hand-title")} quietTitle width="full" class="phone">
      {error !== null && <Notice kind="error">{refusalText(error)}</Notice>}
      {desk === null ? (
        error === null && <Loading />
      ) : (
        <DeskContext.Provider value={desk}>
          <details class="phone__people">
            <summary>{t("join.players")}</summary>
            <Seats />
            <ReportButton place="table" tableId={tableId} version={desk.state.version} />
          </details>
          <Ends view={desk.view} />
          {desk.view.status === "finished" && (
            <Notice kind="success">{resultText(desk.view.result?.winner ?? [], desk)}</Notice>
          )}
          <OwnArea />
          {desk.view.status === "pausing" && <RoundEnd />}
          <Phrases say={(phrase) => desk.say({ phrase })} talk={desk.talk} me={me} />
          {client.passing.value && <p class="phone__passing">{t("join.passing-short")}</p>}
        </DeskContext.Provider>
      )}
    </Page>
  );
}
