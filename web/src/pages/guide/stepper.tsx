/** The steps of a guide: one at a time, each of which can be picked, with its picture before and after. */
import { useState } from "preact/hooks";
import { t } from "../../texts";
import { announce, Button, Card } from "../../ui";
import { Picture } from "./picture";
import { bodyOf, type Step, titleOf } from "./steps";

export function Stepper({ steps }: { steps: readonly Step[] }) {
  const [index, setIndex] = useState(0);
  const step = steps[index];
  if (step === undefined) return null;
  const pick = (next: number) => {
    const chosen = steps[next];
    if (chosen === undefined) return;
    setIndex(next);
    announce(`${t(titleOf(chosen.id))}. ${t(bodyOf(chosen.id))}`);
  };
  return (
    <div class="stepper">
      <nav aria-label={t("guide.steps")}>
        <ol class="stepper__list">
          {steps.map(({ id }, at) => (
            <li key={id}>
              <button
                type="button"
                class="stepper__pick"
                aria-current={at === index ? "step" : undefined}
                onClick={() => pick(at)}
              >
                <span class="stepper__number" aria-hidden="true">
                  {at + 1}
                </span>
                {t(titleOf(id))}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <Card class="stepper__shown" title={t(titleOf(step.id))}>
        <p>{t(bodyOf(step.id))}</p>
        <Change step={step} />
        <div class="stepper__turning">
          <Button icon="arrow-left" disabled={index === 0} onClick={() => pick(index - 1)}>
            {t("common.back")}
          </Button>
          <p class="stepper__place">{t("guide.place", { step: index + 1, steps: steps.length })}</p>
          <Button icon="arrow-right" disabled={index === steps.length - 1} onClick={() => pick(index + 1)}>
            {t("common.next")}
          </Button>
        </div>
      </Card>
    </div>
  );
}

function Change({ step }: { step: Step }) {
  if (step.before === undefined) return <Picture scene={step.after} />;
  return (
    <div class="stepper__change">
      <Picture scene={step.before} caption={t("guide.before")} />
      <Picture scene={step.after} caption={t("guide.after")} />
    </div>
  );
}
