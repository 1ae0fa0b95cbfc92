/** Private rooms: making one, coming into one, and being in one. */
import { useRoute } from "preact-iso";
import { t } from "../../texts";
import { Notice, Page } from "../../ui";
import { isCode, typedCode } from "./code";
import { Entry } from "./entry";
import { Inside } from "./inside";
import { Make } from "./make";
import "./room.css";

export default function RoomPage() {
  const { params, query } = useRoute();
  const said = params.code;
  if (said === undefined) {
    return (
      <Page title={t("room.title")} lead={t("room.lead")} width="narrow">
        <Make preset={query.preset} />
        <Entry />
      </Page>
    );
  }
  const code = typedCode(said);
  if (!isCode(code)) {
    return (
      <Page title={t("room.title")} width="narrow">
        <Notice kind="error">{t("room.no-such-code", { code: said })}</Notice>
        <Entry />
      </Page>
    );
  }
  return (
    <Page title={t("room.title-code", { code })} width="wide">
      <Inside code={code} key={code} />
    </Page>
  );
}
