/** Codes of rooms and screens, as people type, say and paste them (contracts/room.py). */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** What was typed, with the letters that a code can have; of a pasted link its last part. */
export function typedCode(text: string): string {
  const said = text.trim().replace(/[?#].*$/, "").replace(/\/+$/, "");
  const last = said.slice(said.lastIndexOf("/") + 1);
  return last.replace(/[\s-]/g, "").toUpperCase().slice(0, LENGTH);
}

export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** Why what was typed is no code, none where it is one. */
export function codeFault(typed: string): "short" | "letters" | null {
  if (isCode(typed)) return null;
  return [...typed].every((letter) => LETTERS.includes(letter)) ? "short" : "letters";
}

/** Three and three, to be read out. */
export function spokenCode(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}
