/** What people ask before they play, folded. */
import type { ComponentChildren } from "preact";
import { t } from "../../texts";
import { Notice } from "../../ui";
import type { Preset } from "../rules/presets";
import { Picture } from "./picture";
import { lying } from "./steps";

const LAYOUT = "6-2 4-2@right";
const TOTALS = "5-4 4-3@right";

export function Questions({ preset }: { preset: Preset }) {
  return (
    <section class="guide-questions">
      <h2>{t("guide.questions")}</h2>
      <Question asked={t("guide.ask-ends")}>{preset === "all-fives" ? <WhichTotal /> : <WhichEnd />}</Question>
      <Question asked={t("guide.ask-download")}>
        <p>{t("guide.answer-download")}</p>
      </Question>
      <Question asked={t("guide.ask-mail")}>
        <p>{t("guide.answer-mail")}</p>
      </Question>
      <Question asked={t("guide.ask-coins")}>
        <p>{t("guide.answer-coins")}</p>
      </Question>
      <Question asked={t("guide.ask-connection")}>
        <p>{t("guide.answer-connection")}</p>
      </Question>
      <Question asked={t("guide.ask-fair")}>
        <p>{t("guide.answer-fair")}</p>
      </Question>
      <Question asked={t("guide.ask-data")}>
        <Notice kind="warning">{t("guide.warn-data")}</Notice>
        <p>{t("guide.answer-data")}</p>
        <p>
          <a href="/me">{t("guide.keep-account")}</a>
        </p>
      </Question>
    </section>
  );
}

function Question({ asked, children }: { asked: string; children: ComponentChildren }) {
  return (
    <details class="guide-question">
      <summary class="guide-question__asked">{asked}</summary>
      <div class="guide-question__answer">{children}</div>
    </details>
  );
}

function WhichEnd() {
  const hand = ["4-4", "4-1"];
  return (
    <>
      <p>{t("guide.answer-ends")}</p>
      <Picture scene={{ layout: lying(LAYOUT), hand: ["6-4", ...hand], chosen: "6-4" }} />
      <div class="stepper__change">
        <Picture scene={{ layout: lying(`${LAYOUT} 6-4@left`), hand }} caption={t("guide.ends-on-six")} />
        <Picture scene={{ layout: lying(`${LAYOUT} 6-4@right`), hand }} caption={t("guide.ends-on-four")} />
      </div>
    </>
  );
}

function WhichTotal() {
  const hand = ["4-2"];
  return (
    <>
      <p>{t("guide.answer-totals")}</p>
      <Picture scene={{ layout: lying(TOTALS), hand: ["5-3", ...hand], chosen: "5-3" }} />
      <div class="stepper__change">
        <Picture scene={{ layout: lying(`${TOTALS} 5-3@right`), hand }} caption={t("guide.totals-on-three")} />
        <Picture scene={{ layout: lying(`${TOTALS} 5-3@left`), hand }} caption={t("guide.totals-on-five")} />
      </div>
    </>
  );
}
