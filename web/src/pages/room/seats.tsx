/** The seats, who is to sit there, and what the host may do about it. */
import { useState } from "preact/hooks";
import { t } from "../../texts";
import { Button, Card, Icon } from "../../ui";
import type { PrivateRoom, SeatInRoom } from "../../wire/generated";
import { personOf, type SeatWish, type Strength, standing, swapped, withBot, withPerson, freed } from "./seating";
import "./tag.css";

export interface SeatsProps {
  room: PrivateRoom;
  me: string | null;
  /** The host may arrange while no match runs. */
  arranges: boolean;
  busy: boolean;
  onArrange: (seats: SeatWish[]) => void;
}

const STRENGTHS: readonly Strength[] = ["beginner", "normal", "expert"];

export function Seats(props: SeatsProps) {
  const [moving, setMoving] = useState<number | null>(null);
  const { room, arranges } = props;
  const move = (to: number) => {
    if (moving === null) return;
    props.onArrange(swapped(room, moving, to));
    setMoving(null);
  };
  return (
    <Card title={t("room.seats")}>
      {room.ruleset.pairs === true && <p class="room-seats__pairs">{t("room.pairs-hint")}</p>}
      <ol class="room-seats">
        {room.seats.map((seat) => (
          <li key={seat.seat} class={moving === seat.seat ? "room-seats__seat room-seats__seat--moving" : "room-seats__seat"}>
            <Sitter {...props} seat={seat} />
            {arranges && (
              <div class="room-seats__actions">
                <SeatActions {...props} seat={seat} moving={moving} setMoving={setMoving} onMoveHere={move} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Sitter({ room, me, seat }: SeatsProps & { seat: SeatInRoom }) {
  const person = personOf(room, seat.account);
  const side = room.ruleset.pairs === true ? t(seat.seat % 2 === 1 ? "room.side-first" : "room.side-second") : null;
  return (
    <div class="room-seats__sitter">
      <Icon name={seat.strength || person?.bot ? "bot" : "person"} />
      <div class="room-seats__who">
        <span class={person || seat.strength ? "room-seats__name" : "room-seats__name room-seats__name--free"}>
          {sitterName(seat, person?.name)}
          {person !== null && person.account === me && <span class="room-tag">{t("common.you")}</span>}
          {person?.away && <span class="room-tag room-tag--warning">{t("room.away")}</span>}
        </span>
        <span class="room-seats__place">
          {t("common.seat", { seat: seat.seat })}
          {side && ` · ${side}`}
        </span>
      </div>
    </div>
  );
}

export function sitterName(seat: SeatInRoom, name: string | undefined): string {
  if (name !== undefined) return name;
  if (!seat.strength) return t("room.free-seat");
  return t("room.house-bot", { strength: t(`common.strength-${seat.strength}`) });
}

interface SeatActionsProps extends SeatsProps {
  seat: SeatInRoom;
  moving: number | null;
  setMoving: (seat: number | null) => void;
  onMoveHere: (seat: number) => void;
}

function SeatActions(props: SeatActionsProps) {
  const { room, seat, moving, setMoving, onMoveHere, busy } = props;
  const free = !seat.account && !seat.strength;
  if (moving === seat.seat) {
    return (
      <Button kind="quiet" onClick={() => setMoving(null)}>
        {t("common.cancel")}
      </Button>
    );
  }
  if (moving !== null) {
    return <Button onClick={() => onMoveHere(seat.seat)}>{t("room.move-here", { seat: seat.seat })}</Button>;
  }
  return (
    <>
      <Filling {...props} free={free} />
      {!free && (
        <Button kind="quiet" disabled={busy} onClick={() => setMoving(seat.seat)}>
          {t("room.move")}
          <span class="visually-hidden"> {sitterName(seat, personOf(room, seat.account)?.name)}</span>
        </Button>
      )}
    </>
  );
}

/** One list for everything that can sit there: nobody, a bot of some strength, somebody who has no seat. */
function Filling({ room, seat, free, busy, onArrange }: SeatActionsProps & { free: boolean }) {
  const current = seat.account ? `person:${seat.account}` : seat.strength ? `bot:${seat.strength}` : "";
  const person = personOf(room, seat.account);
  const choose = (value: string) => {
    const [kind, who = ""] = value.split(":");
    if (kind === "bot") onArrange(withBot(room, seat.seat, who as Strength));
    else if (kind === "person") onArrange(withPerson(room, seat.seat, who));
    else onArrange(freed(room, seat.seat));
  };
  return (
    <select
      class="room-seats__choose"
      aria-label={t("room.who-sits", { seat: seat.seat })}
      value={current}
      disabled={busy}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{free ? t("room.free-seat") : t("room.free-this-seat")}</option>
      {person && <option value={current}>{person.name}</option>}
      {standing(room).map((other) => (
        <option key={other.account} value={`person:${other.account}`}>
          {other.name}
        </option>
      ))}
      {STRENGTHS.map((strength) => (
        <option key={strength} value={`bot:${strength}`}>
          {t("room.house-bot", { strength: t(`common.strength-${strength}`) })}
        </option>
      ))}
    </select>
  );
}
