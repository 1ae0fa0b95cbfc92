/** A sentence for whatever went wrong with something that a person asked for: what it was, and what to do now. */
import { Refused, Unreachable } from "../client/types";
import { t, textOf } from ".";

export function refusalText(error: unknown): string {
  if (error instanceof Refused) return sentenceOf(error);
  if (error instanceof Unreachable) return t("common.unreachable");
  return t("common.went-wrong");
}

function sentenceOf(refused: Refused): string {
  const known = textOf("refusals", refused.code, { expected: refused.expected, got: refused.got });
  const sentence = known ?? t("common.refused", { code: refused.code });
  return refused.retryAfterSeconds === null ? sentence : `${sentence} ${waitText(refused.retryAfterSeconds)}`;
}

function waitText(seconds: number): string {
  if (seconds <= 90) return t("common.wait-seconds", { count: Math.max(1, Math.ceil(seconds)) });
  return t("common.wait-minutes", { count: Math.ceil(seconds / 60) });
}
