/** Who sits where in a private room, as its host arranges it. Seats in seat order, as the server sends and takes them. */
import type { PersonInRoom, PrivateRoom, SeatInRoom } from "../../wire/generated";

export type Strength = "beginner" | "normal" | "expert";

/** One seat of `arrange-seats`. */
export interface SeatWish {
  account?: string;
  strength?: Strength;
}

export function wishes(room: PrivateRoom): SeatWish[] {
  return room.seats.map(wishOf);
}

/** The seats with those two changed over. */
export function swapped(room: PrivateRoom, first: number, second: number): SeatWish[] {
  const seats = wishes(room);
  const a = seats[first - 1];
  const b = seats[second - 1];
  if (a === undefined || b === undefined) return seats;
  seats[first - 1] = b;
  seats[second - 1] = a;
  return seats;
}

export function withBot(room: PrivateRoom, seat: number, strength: Strength): SeatWish[] {
  return replaced(room, seat, { strength });
}

export function freed(room: PrivateRoom, seat: number): SeatWish[] {
  return replaced(room, seat, {});
}

/** The person comes to that seat from wherever they were; who or what was there gives it up. */
export function withPerson(room: PrivateRoom, seat: number, account: string): SeatWish[] {
  const without = wishes(room).map((wish) => (wish.account === account ? {} : wish));
  return without.map((wish, index) => (index === seat - 1 ? { account } : wish));
}

/** A bot on every seat that is free. */
export function filled(room: PrivateRoom, strength: Strength): SeatWish[] {
  return wishes(room).map((wish) => (isFree(wish) ? { strength } : wish));
}

export function isFree(seat: SeatWish | SeatInRoom): boolean {
  return !seat.account && !seat.strength;
}

export function freeSeats(room: PrivateRoom): number {
  return room.seats.filter(isFree).length;
}

/** People in the room without a seat. */
export function standing(room: PrivateRoom): PersonInRoom[] {
  return room.people.filter((person) => !room.seats.some((seat) => seat.account === person.account));
}

export function personOf(room: PrivateRoom, account: string | null | undefined): PersonInRoom | null {
  return room.people.find((person) => person.account === account) ?? null;
}

export function seatOf(room: PrivateRoom, account: string | null): number | null {
  return room.seats.find((seat) => account !== null && seat.account === account)?.seat ?? null;
}

/** Why the match cannot start now, as the server would refuse it; null where it can. */
export type Hindrance = { why: "seats-free"; count: number } | { why: "nobody-plays" } | { why: "away"; names: string[] };

export function hindrance(room: PrivateRoom): Hindrance | null {
  const free = freeSeats(room);
  if (free > 0) return { why: "seats-free", count: free };
  const people = room.seats.map((seat) => personOf(room, seat.account)).filter((person) => person !== null);
  if (people.length === 0) return { why: "nobody-plays" };
  const away = people.filter((person) => person.away).map((person) => person.name);
  return away.length > 0 ? { why: "away", names: away } : null;
}

function replaced(room: PrivateRoom, seat: number, by: SeatWish): SeatWish[] {
  return wishes(room).map((wish, index) => (index === seat - 1 ? by : wish));
}

function wishOf(seat: SeatInRoom): SeatWish {
  if (seat.account) return { account: seat.account };
  return seat.strength ? { strength: seat.strength } : {};
}
