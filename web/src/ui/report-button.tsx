/** Tells us of a problem, from wherever it was met. The dialog comes when it is asked for. */
import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";
import { loadArea, t } from "../texts";
import { refusalText } from "../texts/refusal";
import { toast } from "./announce";
import { Button, type ButtonProps } from "./button";
import type { ReportDialogProps } from "./report-dialog";

export interface ReportSubject {
  place: "page" | "table" | "replay" | "room" | "person";
  tableId?: string | undefined;
  /** The version of the table that the person saw. */
  version?: number | undefined;
  rulesVersion?: number | string | undefined;
  /** The account that the report is about. */
  person?: string | undefined;
}

export function ReportButton({ kind = "quiet", ...subject }: ReportSubject & { kind?: ButtonProps["kind"] }) {
  const [Shown, show] = useState<{ component: FunctionComponent<ReportDialogProps> } | null>(null);
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const [{ ReportDialog }] = await Promise.all([import("./report-dialog"), loadArea("report")]);
      show({ component: ReportDialog });
    } catch (error) {
      toast(refusalText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind={kind} icon="flag" busy={busy} onClick={open}>
        {t("shell.report")}
      </Button>
      {Shown && <Shown.component subject={subject} onClose={() => show(null)} />}
    </>
  );
}
