/** `/guide/:preset`: how a preset is played, in steps, and what people ask. */
import { useRoute } from "preact-iso";
import { t } from "../../texts";
import { Button, Page } from "../../ui";
import { isPreset, PRESETS, type Preset } from "../rules/presets";
import { Questions } from "./questions";
import { Stepper } from "./stepper";
import { stepsOf } from "./steps";
import "./guide.css";

export default function GuidePage() {
  const { params } = useRoute();
  const preset = params.preset;
  return isPreset(preset) ? <GuideOf preset={preset} /> : <Unknown />;
}

function GuideOf({ preset }: { preset: Preset }) {
  const name = t(`common.preset-${preset}`);
  return (
    <Page title={t("guide.title", { name })} lead={t(`guide.lead-${preset}`)}>
      <div class="guide-ways">
        <Button kind="primary" href={`/room?preset=${preset}`} icon="people">
          {t("guide.prepare")}
        </Button>
        <Button href={`/rules/${preset}`} icon="book">
          {t("guide.rules")}
        </Button>
      </div>
      <Stepper steps={stepsOf(preset)} />
      <Questions preset={preset} />
      <Others but={preset} />
    </Page>
  );
}

function Others({ but }: { but?: Preset }) {
  return (
    <nav class="guide-others" aria-labelledby="guide-others">
      <h2 id="guide-others">{t("guide.others-title")}</h2>
      <ul class="guide-others__list">
        {PRESETS.filter((preset) => preset !== but).map((preset) => (
          <li key={preset}>
            <a class="guide-others__link" href={`/guide/${preset}`}>
              {t(`common.preset-${preset}`)}
            </a>
            <p>{t(`common.about-${preset}`)}</p>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Unknown() {
  return (
    <Page title={t("guide.unknown-title")} lead={t("guide.unknown")}>
      <Others />
    </Page>
  );
}
