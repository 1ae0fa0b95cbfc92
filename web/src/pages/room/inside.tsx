/** A private room as people in it see it, and its door for who is not in it yet. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useClient } from "../../client/context";
import type { PrivateRoomFollow } from "../../client/types";
import { t } from "../../texts";
import { refusalText } from "../../texts/refusal";
import { announce, Button, Card, Loading, Notice, ReportButton } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import { Controls } from "./controls";
import { Entry } from "./entry";
import { Invitation } from "./invitation";
import { newsOf } from "./news";
import { RoomOptions } from "./options";
import { endsPauses, Pause } from "./pause";
import { People } from "./people";
import { ScreenPairing } from "./screen-pairing";
import { personOf, type SeatWish } from "./seating";
import { Seats } from "./seats";
import { Talk } from "./talk";
import { type Doing, useDoing } from "./use-doing";
import { useRoom } from "./use-room";

export function Inside({ code }: { code: string }) {
  const client = useClient();
  const { follow, failed } = useRoom(code);
  const room = follow?.room.value ?? null;
  const refused = follow?.error.value ?? null;
  const me = client.account.value;
  useNews(room, me);
  useTable(room, me);
  if (failed !== null) return <Notice kind="error">{failed}</Notice>;
  if (refused !== null && room?.closed !== true) {
    return (
      <>
        <Notice kind="error">{refusalText(refused)}</Notice>
        <Entry />
      </>
    );
  }
  if (room === null || follow === null) return <Loading label={t("room.opening-door")} />;
  if (room.closed) return <Closed />;
  return personOf(room, me) === null ? <Door room={room} follow={follow} /> : <Rooms room={room} follow={follow} me={me} />;
}

/** Whoever has a seat goes to the table the moment that it opens; who comes later finds the way there on the page. */
function useTable(room: PrivateRoom | null, me: string | null): void {
  const { route } = useLocation();
  const running = useRef<boolean | null>(null);
  useEffect(() => {
    if (room === null) return;
    const begins = running.current === false && room.running;
    running.current = room.running ?? false;
    if (begins && room.table_id && room.seats.some((seat) => seat.account === me)) route(`/table/${room.table_id}`);
  }, [room, me, route]);
}

function useNews(room: PrivateRoom | null, me: string | null): void {
  const before = useRef<PrivateRoom | null>(null);
  useEffect(() => {
    if (room !== null && before.current !== null && before.current.code === room.code) {
      const news = newsOf(before.current, room, me);
      if (news.length > 0) announce(news.join(" "));
    }
    before.current = room;
  }, [room, me]);
}

function Closed() {
  return (
    <>
      <Notice kind="warning" actions={<Button href="/room">{t("room.make-another")}</Button>}>
        {t("room.closed")}
      </Notice>
      <Entry />
    </>
  );
}

function Door({ room, follow }: { room: PrivateRoom; follow: PrivateRoomFollow }) {
  const doing = useDoing();
  const host = personOf(room, room.host)?.name ?? "";
  return (
    <Card title={t("room.door-title", { name: host })}>
      <p>{t("room.door-hint", { count: room.people.length })}</p>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      <Button
        kind="primary"
        large
        busy={doing.busy !== null}
        onClick={() => doing.run("enter", () => follow.command({ type: "enter-room" }))}
      >
        {t("room.come-in")}
      </Button>
    </Card>
  );
}

function Rooms({ room, follow, me }: { room: PrivateRoom; follow: PrivateRoomFollow; me: string | null }) {
  const doing = useDoing();
  const hosts = room.host === me;
  const arranges = hosts && !room.running && !room.starting;
  const command = (wanted: { type: string; [field: string]: unknown }) => follow.command(wanted);
  const arrange = (seats: SeatWish[]) => {
    void doing.run("arrange-seats", () => command({ type: "arrange-seats", seats }));
  };
  const shared = { room, me, doing, onCommand: command, onArrange: arrange };
  return (
    <div class="room">
      <div class="room__main">
        {doing.error && <Notice kind="error">{doing.error}</Notice>}
        {hosts && room.running && room.table_id && endsPauses(room) && <Pause {...shared} tableId={room.table_id} />}
        <Controls {...shared} />
        <Seats {...shared} arranges={arranges} busy={doing.busy !== null} />
        <RoomOptions room={room} changes={arranges} doing={doing} onCommand={command} />
        <Talk follow={follow} me={me} />
      </div>
      <div class="room__side">
        <Invitation room={room} />
        <People {...shared} />
        {hosts && <ScreenPairing room={room} />}
        <Leave hosts={hosts} doing={doing} onCommand={command} />
      </div>
    </div>
  );
}

interface LeaveProps {
  hosts: boolean;
  doing: Doing;
  onCommand: (command: { type: string }) => Promise<unknown>;
}

function Leave({ hosts, doing, onCommand }: LeaveProps) {
  const { route } = useLocation();
  const [sure, setSure] = useState(false);
  const leave = async () => {
    if (await doing.run("leave-room", () => onCommand({ type: "leave-room" }))) route("/room");
  };
  if (!sure) {
    return (
      <div class="room__end">
        <Button kind="quiet" icon="exit" onClick={() => setSure(true)}>
          {t("room.leave")}
        </Button>
        <ReportButton place="room" />
      </div>
    );
  }
  return (
    <Notice
      kind="warning"
      actions={
        <>
          <Button kind="danger" busy={doing.busy === "leave-room"} onClick={leave}>
            {t("room.leave")}
          </Button>
          <Button kind="quiet" onClick={() => setSure(false)}>
            {t("common.cancel")}
          </Button>
        </>
      }
    >
      {t(hosts ? "room.leave-sure-host" : "room.leave-sure")}
    </Notice>
  );
}
