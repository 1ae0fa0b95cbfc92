/** The guide in short, folded, for a page about something else. Its texts come when it is opened. */
import { useState } from "preact/hooks";
import { t } from "../../texts";
import { useArea } from "../../texts/use-area";
import { Loading } from "../../ui";
import type { Preset } from "../rules/presets";
import { bodyOf, stepsOf, titleOf } from "./steps";
import "./summary.css";

export function GuideSummary({ preset }: { preset: Preset }) {
  const [opened, setOpened] = useState(false);
  return (
    <details class="guide-summary" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary class="guide-summary__title">{t("common.how-to-play", { name: t(`common.preset-${preset}`) })}</summary>
      {opened && <Inside preset={preset} />}
    </details>
  );
}

function Inside({ preset }: { preset: Preset }) {
  if (!useArea("guide")) return <Loading />;
  return (
    <div class="guide-summary__inside">
      <dl class="guide-summary__steps">
        {stepsOf(preset).map(({ id }) => (
          <div key={id}>
            <dt>{t(titleOf(id))}</dt>
            <dd>{t(bodyOf(id))}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={`/guide/${preset}`}>{t("guide.whole")}</a>
      </p>
    </div>
  );
}
