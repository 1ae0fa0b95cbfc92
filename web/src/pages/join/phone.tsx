/** One phone in a room: it comes in, waits, plays its hand, and waits again. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useClient } from "../../client/context";
import type { PrivateRoomFollow } from "../../client/types";
import { t } from "../../texts";
import { refusalText } from "../../texts/refusal";
import { announce, Loading, Notice, Page } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import { newsOf } from "../room/news";
import { personOf, seatOf } from "../room/seating";
import { Ask } from "./ask";
import { Doorstep } from "./doorstep";
import { forgetJoined, keepJoined } from "./joined";
import { Play } from "./play";
import { WaitingRoom } from "./waiting";
import { useWakeLock } from "./wake-lock";

export function Phone({ code }: { code: string }) {
  const client = useClient();
  const [follow, begin] = useFollow(code);
  const room = follow?.room.value ?? null;
  const me = client.account.value;
  const inside = room !== null && !room.closed && personOf(room, me) !== null;
  useWakeLock(inside);
  useRoomNews(room, me);
  useEffect(() => {
    if (inside) keepJoined(code);
  }, [inside, code]);
  const refused = follow?.error.value ?? null;
  if ((refused !== null || room?.closed) && !(inside && !room?.closed)) return <Lost error={refused} />;
  if (inside && room.running && room.table_id && seatOf(room, me) !== null && follow !== null) {
    return <Play room={room} tableId={room.table_id} me={me} follow={follow} />;
  }
  return (
    <Page title={t("join.title-code", { code })} width="narrow" class="join">
      {inside && follow !== null ? (
        <WaitingRoom room={room} me={me} follow={follow} />
      ) : me !== null && follow !== null && room === null ? (
        <Loading label={t("room.opening-door")} />
      ) : (
        <Doorstep code={code} onEnter={() => begin().command({ type: "enter-room" })} />
      )}
    </Page>
  );
}

/** The room is followed at once where this browser has an account; a newcomer has none before sitting down. */
function useFollow(code: string): [PrivateRoomFollow | null, () => PrivateRoomFollow] {
  const client = useClient();
  const current = useRef<PrivateRoomFollow | null>(null);
  const [follow, setFollow] = useState<PrivateRoomFollow | null>(null);
  const begin = () => {
    if (current.current !== null && current.current.error.peek() !== null) {
      current.current.stop();
      current.current = null;
    }
    current.current ??= client.followPrivateRoom(code);
    setFollow(current.current);
    return current.current;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a code
  useEffect(() => {
    let gone = false;
    if (client.account.peek() !== null) client.ensure().then(() => !gone && begin(), () => {});
    return () => {
      gone = true;
      current.current?.stop();
      current.current = null;
    };
  }, [client, code]);
  return [follow, begin];
}

function useRoomNews(room: PrivateRoom | null, me: string | null): void {
  const before = useRef<PrivateRoom | null>(null);
  useEffect(() => {
    if (room !== null && before.current !== null) {
      const news = newsOf(before.current, room, me);
      if (news.length > 0) announce(news.join(" "));
    }
    before.current = room;
  }, [room, me]);
}

/** The room has gone, is full, or does not want this one. */
function Lost({ error }: { error: unknown }) {
  useEffect(() => forgetJoined(), []);
  return (
    <Page title={t("join.title")} width="narrow" class="join">
      <Notice kind="error">{error === null ? t("room.closed") : refusalText(error)}</Notice>
      <Ask />
    </Page>
  );
}
