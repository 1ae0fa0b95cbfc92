/** A screen for everybody in the room: it takes no seat and can control nothing. */
import { useEffect, useRef, useState } from "preact/hooks";
import { createScreen, type Screen } from "../../client/screen";
import { t } from "../../texts";
import { announce, Page } from "../../ui";
import { useWakeLock } from "../join/wake-lock";
import { Lobby } from "./lobby";
import { Pairing } from "./pairing";
import { Showing } from "./showing";
import "./tv.css";

export default function TvPage() {
  const [screen, setScreen] = useState<Screen | null>(null);
  useWakeLock(true);
  useEffect(() => {
    const made = createScreen();
    setScreen(made);
    return () => made.stop();
  }, []);
  return (
    <Page title={t("tv.title")} quietTitle width="full" class="tv">
      {screen && <Shown screen={screen} />}
    </Page>
  );
}

function Shown({ screen }: { screen: Screen }) {
  const room = screen.room.value;
  const table = screen.table.value;
  const lost = screen.connection.value.kind === "lost";
  const playing = room !== null && room.running === true && table !== null && table.view.table_id === room.table_id;
  useStages(room === null ? "pairing" : playing ? "playing" : "lobby");
  return (
    <>
      {lost && (
        <p class="tv__lost" role="status">
          {t("tv.lost")}
        </p>
      )}
      {room === null || room.closed ? (
        <Pairing screen={screen} closed={room?.closed === true} />
      ) : playing ? (
        <Showing room={room} state={table} screen={screen} />
      ) : (
        <Lobby room={room} last={table} screen={screen} />
      )}
    </>
  );
}

function useStages(stage: "pairing" | "lobby" | "playing"): void {
  const before = useRef(stage);
  useEffect(() => {
    if (before.current !== stage) announce(t(`tv.stage-${stage}`));
    before.current = stage;
  }, [stage]);
}
