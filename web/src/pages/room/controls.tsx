/** The start of the match and what stands in its way; for everybody else, whom they wait for. */
import { useLocation } from "preact-iso";
import { t } from "../../texts";
import { Button, Choice, formatList, Loading, Notice } from "../../ui";
import { useState } from "preact/hooks";
import type { PrivateRoom } from "../../wire/generated";
import { filled, freeSeats, type Hindrance, hindrance, personOf, type SeatWish, type Strength } from "./seating";
import type { Doing } from "./use-doing";

export interface ControlsProps {
  room: PrivateRoom;
  me: string | null;
  doing: Doing;
  onCommand: (command: { type: string; [field: string]: unknown }) => Promise<unknown>;
  onArrange: (seats: SeatWish[]) => void;
}

export function Controls(props: ControlsProps) {
  const { room, me } = props;
  if (room.closed) return <Notice kind="warning">{t("room.closed")}</Notice>;
  return (
    <div class="room__controls">
      {room.bots_missing && <Notice kind="warning">{t("room.bots-missing")}</Notice>}
      {room.not_opened && <Notice kind="warning">{t("room.not-opened")}</Notice>}
      {room.starting ? <Loading label={t("room.starting")} /> : room.running ? <Running {...props} /> : null}
      {!room.starting && !room.running && (room.host === me ? <Start {...props} /> : <Waiting room={room} />)}
    </div>
  );
}

function Running({ room, me }: ControlsProps) {
  const { route } = useLocation();
  const sits = room.seats.some((seat) => seat.account === me);
  if (!room.table_id) return null;
  return (
    <Notice
      kind="info"
      actions={
        <Button kind="primary" onClick={() => route(`/table/${room.table_id}`)}>
          {t(sits ? "room.to-table" : "room.watch")}
        </Button>
      }
    >
      {t(sits ? "room.running-yours" : "room.running")}
    </Notice>
  );
}

function Start({ room, doing, onCommand, onArrange }: ControlsProps) {
  const [strength, setStrength] = useState<Strength>("normal");
  const hindered = hindrance(room);
  const free = freeSeats(room);
  return (
    <>
      <Button
        kind="primary"
        large
        wide
        busy={doing.busy === "start-match"}
        disabled={hindered !== null}
        describedBy="room-hindrance"
        onClick={() => doing.run("start-match", () => onCommand({ type: "start-match" }))}
      >
        {t("room.start")}
      </Button>
      <p id="room-hindrance" class="room__hindrance">
        {hindered === null ? t("room.ready") : hindranceText(hindered)}
      </p>
      {free > 0 && (
        <div class="room__fill">
          <Choice
            legend={t("room.bots-strength")}
            value={strength}
            onChange={setStrength}
            options={(["beginner", "normal", "expert"] as const).map((value) => ({
              value,
              label: t(`common.strength-${value}`),
            }))}
          />
          <Button icon="bot" busy={doing.busy === "arrange-seats"} onClick={() => onArrange(filled(room, strength))}>
            {t("room.fill", { count: free })}
          </Button>
        </div>
      )}
    </>
  );
}

function Waiting({ room }: { room: PrivateRoom }) {
  const hindered = hindrance(room);
  const host = personOf(room, room.host);
  return (
    <Notice kind="info">
      {hindered === null ? t("room.waits-for-host", { name: host?.name ?? "" }) : hindranceText(hindered)}
    </Notice>
  );
}

export function hindranceText(hindered: Hindrance): string {
  switch (hindered.why) {
    case "seats-free":
      return t("room.seats-free", { count: hindered.count });
    case "nobody-plays":
      return t("room.nobody-plays");
    case "away":
      return t("room.waits-for-away", { names: formatList(hindered.names) });
  }
}
