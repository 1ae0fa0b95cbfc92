/** The code of a mailed link. Mails have it behind `#`, where no server's log sees it. */
const SECRET = /^[A-Za-z0-9_-]{16,128}$/;

/** From the path or the fragment, or of a whole link that was pasted; null where there is none. */
export function codeOfLink(given: string | undefined, hash: string): string | null {
  const pasted = given?.trim().replace(/^.*[#/]/, "") ?? "";
  return [pasted, hash.replace(/^#/, "")].find((text) => SECRET.test(text)) ?? null;
}
