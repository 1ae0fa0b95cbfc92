/** The full rules of one ruleset, for the page of a preset and for the dialog beside a running game. */
import type { Ruleset } from "../../game/view";
import { t } from "../../texts";
import { useArea } from "../../texts/use-area";
import { Loading } from "../../ui";
import { type Section, sectionsOf } from "./sentences";
import "./rules.css";

export interface RulesOfProps {
  ruleset: Ruleset;
  rulesVersion: string;
  /** Of the sections' headings: below a page's title, or below a dialog's. */
  level?: 2 | 3;
}

export function RulesOf({ ruleset, rulesVersion, level = 3 }: RulesOfProps) {
  if (!useArea("rules")) return <Loading />;
  return (
    <div class="rules">
      <p class="rules__lead">{t("rules.lead")}</p>
      {sectionsOf(ruleset).map((section) => (
        <SectionOf key={section.title} section={section} level={level} />
      ))}
      <p class="rules__version">{t("rules.version", { version: rulesVersion })}</p>
    </div>
  );
}

function SectionOf({ section, level }: { section: Section; level: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section class="rules__section">
      <Heading class="rules__title">{t(section.title)}</Heading>
      <ul class="rules__sentences">
        {section.sentences.map(({ key, count }) => (
          <li key={key}>{count === undefined ? t(key) : t(key, { count })}</li>
        ))}
      </ul>
    </section>
  );
}
