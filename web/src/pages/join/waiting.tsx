/** Between sitting down and the first deal, and between two matches. */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useClient } from "../../client/context";
import type { PrivateRoomFollow } from "../../client/types";
import { t } from "../../texts";
import { Button, Card, Loading, Notice } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import { hindranceText } from "../room/controls";
import { People } from "../room/people";
import { hindrance, personOf, seatOf } from "../room/seating";
import { useDoing } from "../room/use-doing";
import { forgetJoined } from "./joined";
import { Phrases } from "./phrases";

interface WaitingRoomProps {
  room: PrivateRoom;
  me: string | null;
  follow: PrivateRoomFollow;
}

export function WaitingRoom({ room, me, follow }: WaitingRoomProps) {
  const client = useClient();
  const doing = useDoing();
  const seat = seatOf(room, me);
  const command = (wanted: { type: string; [field: string]: unknown }) => follow.command(wanted);
  return (
    <>
      <Card class="join__seat">
        <p class="join__seat-name">{personOf(room, me)?.name}</p>
        <p class="join__seat-number">{seat === null ? t("join.no-seat") : t("common.seat", { seat })}</p>
        <p class="join__status" role="status">
          {statusText(room, me, seat)}
        </p>
        {room.starting && <Loading label={t("room.starting")} />}
        {room.host === me && !room.running && (
          <Button kind="primary" wide large href={`/room/${room.code}`}>
            {t("join.host-rights")}
          </Button>
        )}
      </Card>
      {room.bots_missing && <Notice kind="warning">{t("room.bots-missing")}</Notice>}
      {room.not_opened && <Notice kind="warning">{t("room.not-opened")}</Notice>}
      <Phrases say={(phrase) => follow.say({ phrase })} talk={follow.talk.value} me={me} />
      <People room={room} me={me} doing={doing} onCommand={command} />
      {client.passing.value && <Notice kind="info">{t("join.passing")}</Notice>}
      <Leave follow={follow} />
    </>
  );
}

function statusText(room: PrivateRoom, me: string | null, seat: number | null): string {
  if (room.running) return t("join.watch-screen");
  if (room.starting) return "";
  const hindered = hindrance(room);
  if (hindered !== null) return hindranceText(hindered);
  if (room.host === me) return t("room.ready");
  const host = personOf(room, room.host)?.name ?? "";
  return seat === null ? t("join.no-seat-hint", { name: host }) : t("room.waits-for-host", { name: host });
}

function Leave({ follow }: { follow: PrivateRoomFollow }) {
  const { route } = useLocation();
  const doing = useDoing();
  const [sure, setSure] = useState(false);
  const leave = async () => {
    if (!sure) return setSure(true);
    if (await doing.run("leave", () => follow.command({ type: "leave-room" }))) {
      forgetJoined();
      route("/join");
    }
  };
  return (
    <Button kind={sure ? "danger" : "quiet"} icon="exit" busy={doing.busy !== null} onClick={leave}>
      {t(sure ? "join.leave-sure" : "room.leave")}
    </Button>
  );
}
