/** What somebody at the table of a private room is called: as in the room, or as the house bot that was asked for. */
import { t } from "../../texts";
import type { PrivateRoom } from "../../wire/generated";
import { personOf } from "../room/seating";

export function nameAt(room: PrivateRoom, account: string, seat: number): string {
  const person = personOf(room, account);
  if (person !== null) return person.name;
  const strength = room.seats[seat - 1]?.strength;
  return strength ? t("room.house-bot", { strength: t(`common.strength-${strength}`) }) : t("common.seat", { seat });
}
