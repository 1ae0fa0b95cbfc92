import { t } from "../../texts";
import { Button, Page } from "../../ui";

export default function MissingPage() {
  return (
    <Page title={t("shell.missing-title")} lead={t("shell.missing")} width="narrow">
      <p>
        <Button kind="primary" href="/">
          {t("shell.to-start")}
        </Button>
      </p>
    </Page>
  );
}
