/** Names that carry the time of their making: ULIDs in lower case (48 bits of ms, 80 of chance, in Base32). */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;

/** A new id for a command, used again only to repeat that same command. */
export function commandId(now: number = Date.now()): string {
  let time = "";
  for (let rest = now; time.length < TIME_DIGITS; rest = Math.floor(rest / 32)) time = digit(rest % 32) + time;
  const chance = crypto.getRandomValues(new Uint8Array(CHANCE_DIGITS));
  return time + Array.from(chance, (byte) => digit(byte % 32)).join("");
}

function digit(value: number): string {
  return DIGITS.charAt(value);
}
