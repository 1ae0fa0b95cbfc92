/** `/rules/:preset`: the rules of a preset; its address may change any option. */
import { useRoute } from "preact-iso";
import { t } from "../../texts";
import { useArea } from "../../texts/use-area";
import { Button, Card, Loading, Page } from "../../ui";
import { isPreset, rulesetOfQuery } from "./presets";
import { RulesOf } from "./rules-of";

/** That of the rules which these sentences describe. */
const RULES_VERSION = "1";

export default function RulesPage() {
  const { params, query } = useRoute();
  const come = useArea("rules");
  const preset = params.preset ?? "";
  const ruleset = rulesetOfQuery(preset, query);
  if (!come) return <Loading />;
  if (ruleset === null || !isPreset(preset)) return <Unknown />;
  const name = t(`common.preset-${preset}`);
  return (
    <Page title={t("rules.title", { name })} width="narrow">
      <Card>
        <RulesOf ruleset={ruleset} rulesVersion={RULES_VERSION} level={2} />
      </Card>
      <div>
        <Button href={`/guide/${preset}`} icon="book">
          {t("rules.guide", { name })}
        </Button>
      </div>
    </Page>
  );
}

function Unknown() {
  return (
    <Page title={t("rules.unknown-title")} lead={t("rules.unknown")} width="narrow">
      <div>
        <Button href="/">{t("common.back")}</Button>
      </div>
    </Page>
  );
}
