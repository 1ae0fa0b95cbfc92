/** A question's answer on the page: on its way, not to be had, or there. */
import type { ComponentChildren } from "preact";
import { t } from "../../texts";
import { Button, Loading, Notice } from "../../ui";
import type { Question } from "./use-question";

export function Answered<Answer>({ question, children }: { question: Question<Answer>; children: (answer: Answer) => ComponentChildren }) {
  if (question.answer !== null) return <>{children(question.answer)}</>;
  if (question.error === null) return <Loading />;
  return (
    <Notice kind="error" actions={<Button onClick={question.again}>{t("common.try-again")}</Button>}>
      {question.error}
    </Notice>
  );
}
