/** A phone becomes one private hand, beside a screen that everybody looks at. */
import { useRoute } from "preact-iso";
import { t } from "../../texts";
import { Notice, Page } from "../../ui";
import { isCode, typedCode } from "../room/code";
import { Ask } from "./ask";
import { Phone } from "./phone";
import "../room/room.css";
import "./join.css";

export default function JoinPage() {
  const { params } = useRoute();
  const said = params.code;
  const code = said === undefined ? null : typedCode(said);
  if (code !== null && isCode(code)) return <Phone code={code} key={code} />;
  return (
    <Page title={t("join.title")} lead={t("join.lead")} width="narrow">
      {said !== undefined && <Notice kind="error">{t("room.no-such-code", { code: said })}</Notice>}
      <Ask />
    </Page>
  );
}
