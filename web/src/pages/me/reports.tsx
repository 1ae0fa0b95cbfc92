/** What one has reported, how far it is, and what was written back. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, Card, formatMoment, Notice, ReportButton } from "../../ui";
import type { ReportLine, Reports as ReportPage } from "../../wire/generated";
import { useDoing } from "../room/use-doing";
import { Answered } from "./answered";
import { useQuestion } from "./use-question";

const PATH = "/v1/reports?limit=10";

export function Reports() {
  const client = useClient();
  const question = useQuestion<ReportPage>(PATH);
  const doing = useDoing();
  const [older, setOlder] = useState<ReportPage | null>(null);
  const more = (cursor: string) =>
    doing.run("more", async () => {
      const page = await client.request<ReportPage>("GET", `${PATH}&cursor=${encodeURIComponent(cursor)}`);
      setOlder({ ...page, reports: [...(older?.reports ?? []), ...page.reports] });
    });
  return (
    <Card title={t("me.reports")}>
      <Answered question={question}>
        {(newest) => {
          const reports = [...newest.reports, ...(older?.reports ?? [])];
          const next = (older ?? newest).next;
          return (
            <>
              {reports.length === 0 && <p class="me__soft">{t("me.no-reports")}</p>}
              <ul class="me__list">
                {reports.map((report) => (
                  <Line key={report.report} report={report} />
                ))}
              </ul>
              {next && (
                <Button busy={doing.busy !== null} onClick={() => more(next)}>
                  {t("me.more-reports")}
                </Button>
              )}
            </>
          );
        }}
      </Answered>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      <ReportButton place="page" />
    </Card>
  );
}

function Line({ report }: { report: ReportLine }) {
  return (
    <li class="me__report">
      <span class="me__soft">
        {formatMoment(report.made_at)} · {t(`me.report-${report.state}`)}
      </span>
      <p class="me__quote">{report.text}</p>
      {report.answer && (
        <p class="me__answer">
          <strong>{t("me.answer")}</strong> {report.answer}
        </p>
      )}
    </li>
  );
}
