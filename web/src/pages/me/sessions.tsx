/** Where this account is signed in, and how to end it: there, or everywhere. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, Card, formatMoment, formatRelative, Notice, toast } from "../../ui";
import type { SessionLine, Sessions as SessionList } from "../../wire/generated";
import { useDoing } from "../room/use-doing";
import { Answered } from "./answered";
import { useQuestion } from "./use-question";
import "../room/tag.css";

export function Sessions() {
  const client = useClient();
  const question = useQuestion<SessionList>("/v1/me/sessions");
  const doing = useDoing();
  const end = async (path: string) => {
    const done = await doing.run(path, async () => question.replace(await client.request<SessionList>("DELETE", path)));
    if (done) toast(t("me.session-ended"));
  };
  return (
    <Card title={t("me.sessions")}>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      <Answered question={question}>
        {({ sessions }) => (
          <>
            <ul class="me__list">
              {sessions.map((session) => (
                <Line key={session.session} session={session} busy={doing.busy} onEnd={end} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <Button busy={doing.busy?.endsWith("true")} onClick={() => end("/v1/me/sessions?others=true")}>
                {t("me.end-others")}
              </Button>
            )}
          </>
        )}
      </Answered>
      <Everywhere />
    </Card>
  );
}

function Line({ session, busy, onEnd }: { session: SessionLine; busy: string | null; onEnd: (path: string) => void }) {
  const path = `/v1/me/sessions/${session.session}`;
  return (
    <li class="me__line">
      <span class="me__what">
        <span class="me__strong">
          {session.label || t("me.unnamed-session")}
          {session.here && <span class="room-tag room-tag--accent">{t("me.here")}</span>}
        </span>
        <span class="me__soft" title={formatMoment(session.made_at)}>
          {t("me.session-used", { when: formatRelative(session.used_at, Date.now()) })}
        </span>
      </span>
      {!session.here && (
        <Button kind="quiet" busy={busy === path} onClick={() => onEnd(path)}>
          {t("me.end-session")}
        </Button>
      )}
    </li>
  );
}

function Everywhere() {
  const client = useClient();
  const doing = useDoing();
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <Button kind="quiet" icon="exit" onClick={() => setSure(true)}>
        {t("me.sign-out-everywhere")}
      </Button>
    );
  }
  return (
    <Notice
      kind="warning"
      actions={
        <>
          <Button kind="danger" busy={doing.busy !== null} onClick={() => doing.run("out", () => client.signOutEverywhere())}>
            {t("me.sign-out-everywhere")}
          </Button>
          <Button kind="quiet" onClick={() => setSure(false)}>
            {t("common.cancel")}
          </Button>
        </>
      }
    >
      {doing.error ?? t("me.sign-out-sure")}
    </Notice>
  );
}
