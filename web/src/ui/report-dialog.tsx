/** Asks what is wrong, and sends it with the page, the table and the version at hand; says the report's number. */
import { useState } from "preact/hooks";
import { useClient } from "../client/context";
import { commandId } from "../client/ids";
import { t } from "../texts";
import { refusalText } from "../texts/refusal";
import { announce } from "./announce";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { Notice } from "./notice";
import type { ReportSubject } from "./report-button";
import "./report.css";

const TEXT_CHARACTERS_MAX = 2_000;
const PAGE_CHARACTERS_MAX = 200;

export interface ReportDialogProps {
  subject: ReportSubject;
  onClose: () => void;
}

export function ReportDialog({ subject, onClose }: ReportDialogProps) {
  const [text, setText] = useState("");
  const { sent, failed, busy, send } = useReport(subject, text.trim());
  if (sent !== null) return <Thanks number={sent} onClose={onClose} />;
  return (
    <Dialog title={t("report.title")} open onClose={onClose}>
      <form
        class="report"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>{t("report.what-happens")}</p>
        <Field
          label={t("report.text")}
          hint={t(subject.tableId ? "report.attached-table" : "report.attached-page")}
          value={text}
          onInput={setText}
          rows={5}
          maxLength={TEXT_CHARACTERS_MAX}
          required
        />
        {failed && <Notice kind="error">{failed}</Notice>}
        <div class="dialog__actions">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={text.trim() === ""}>
            {t("report.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Thanks({ number, onClose }: { number: string; onClose: () => void }) {
  return (
    <Dialog
      title={t("report.thanks")}
      open
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t("common.close")}
        </Button>
      }
    >
      <p>{t("report.number")}</p>
      <p>
        <code class="report__number">{number}</code>
      </p>
      <p>{t("report.answer-where")}</p>
    </Dialog>
  );
}

function useReport(subject: ReportSubject, text: string) {
  const client = useClient();
  const [id] = useState(commandId);
  const [sent, setSent] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (text === "" || busy) return;
    setBusy(true);
    setFailed(null);
    try {
      await client.ensure();
      const { report } = await client.request<{ report: string }>("POST", "/v1/reports", {
        id,
        ...bodyOf(subject, text),
      });
      setSent(report);
      announce(t("report.thanks"));
    } catch (error) {
      setFailed(refusalText(error));
    } finally {
      setBusy(false);
    }
  };
  return { sent, failed, busy, send };
}

function bodyOf({ place, tableId, version, rulesVersion, person }: ReportSubject, text: string) {
  const rules = rulesVersion === undefined ? "" : ` (rules ${rulesVersion})`;
  return {
    place,
    text,
    page: (location.pathname + location.search + rules).slice(0, PAGE_CHARACTERS_MAX),
    table_id: tableId ?? null,
    version: version ?? null,
    person: person ?? null,
  };
}
