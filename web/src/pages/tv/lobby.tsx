/** Before a match and after it: how one comes in, who is here, and how the last match ended. */
import type { Screen } from "../../client/screen";
import type { TableState } from "../../game/state";
import { t } from "../../texts";
import { Loading } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import { nameAt } from "../join/names";
import { spokenCode } from "../room/code";
import { hindranceText } from "../room/controls";
import { Qr } from "../room/qr";
import { sitterName } from "../room/seats";
import { hindrance, personOf, standing } from "../room/seating";
import { resultText } from "../table/model/sentences";

interface LobbyProps {
  room: PrivateRoom;
  /** The table that was shown last. */
  last: TableState | null;
  screen: Screen;
}

export function Lobby({ room, last, screen }: LobbyProps) {
  const nameOf = (account: string, seat: number) => nameAt(room, account, seat);
  const result = last?.view.result ?? null;
  return (
    <section class="tv-lobby">
      <div class="tv-lobby__way">
        <Qr code={room.code} />
        <p class="tv-lobby__scan">{t("tv.scan")}</p>
        <p class="tv-lobby__address">{`${location.host}/join`}</p>
        <p class="tv-lobby__code">
          <span aria-hidden="true">{spokenCode(room.code)}</span>
          <span class="visually-hidden">{[...room.code].join(" ")}</span>
        </p>
      </div>
      <div class="tv-lobby__room">
        <h2 class="tv-lobby__title">{t(`common.preset-${presetOf(room)}`)}</h2>
        {result !== null && last !== null && (
          <p class="tv-lobby__result">{resultText(result.winner, { view: last.view, nameOf })}</p>
        )}
        <ol class="tv-lobby__seats">
          {room.seats.map((seat) => (
            <Seat key={seat.seat} room={room} seat={seat} />
          ))}
        </ol>
        <Standing room={room} />
        <p class="tv-lobby__state" role="status">
          {stateText(room)}
        </p>
        {room.starting && <Loading label={t("room.starting")} />}
      </div>
      <button type="button" class="tv__leave" onClick={() => screen.forget()}>
        {t("tv.leave")}
      </button>
    </section>
  );
}

function Seat({ room, seat }: { room: PrivateRoom; seat: PrivateRoom["seats"][number] }) {
  const person = personOf(room, seat.account);
  const free = !person && !seat.strength;
  return (
    <li class={free ? "tv-lobby__seat tv-lobby__seat--free" : "tv-lobby__seat"}>
      <span class="tv-lobby__number">{seat.seat}</span>
      <span class="tv-lobby__name">{sitterName(seat, person?.name)}</span>
      {person?.away && <span class="tv-lobby__away">{t("room.away")}</span>}
    </li>
  );
}

function Standing({ room }: { room: PrivateRoom }) {
  const others = standing(room);
  if (others.length === 0) return null;
  return <p class="tv-lobby__standing">{t("tv.standing", { names: others.map(({ name }) => name).join(", ") })}</p>;
}

function stateText(room: PrivateRoom): string {
  if (room.bots_missing) return t("room.bots-missing");
  if (room.not_opened) return t("room.not-opened");
  if (room.starting) return "";
  const hindered = hindrance(room);
  if (hindered !== null) return hindranceText(hindered);
  return t("room.waits-for-host", { name: personOf(room, room.host)?.name ?? "" });
}

export function presetOf(room: PrivateRoom): "draw" | "block" | "duel-draw" | "all-fives" | "party" {
  const { preset } = room.ruleset;
  return preset === "block" || preset === "duel-draw" || preset === "all-fives" || preset === "party" ? preset : "draw";
}
