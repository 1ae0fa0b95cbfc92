/** What concerns every page: the connection, a newer version, and a match that could not begin. They lie over the
 * page, so that nothing moves when they come and go. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useClient } from "../client/context";
import type { Connection } from "../client/types";
import { t } from "../texts";
import { announce, Button, Notice } from "../ui";
import "./banners.css";

export function Banners() {
  const client = useClient();
  const connection = client.connection.value;
  useAnnouncements(connection);
  const quiet = connection.kind !== "lost" && connection.kind !== "ended";
  if (quiet && !client.outdated.value && !client.calledOff.value) return null;
  return (
    <section class="banners" aria-label={t("shell.news")}>
      {connection.kind === "lost" && <Lost {...connection} />}
      {connection.kind === "ended" && <Ended why={connection.why} />}
      {client.outdated.value && (
        <Notice kind="info" actions={<Reload />}>
          {t("shell.outdated")}
        </Notice>
      )}
      {client.calledOff.value && <CalledOff />}
    </section>
  );
}

function Lost({ retryAt, offline }: { retryAt: number; offline: boolean }) {
  const client = useClient();
  const seconds = useSecondsUntil(retryAt);
  // A failure shows as the connection that is lost still.
  const tryNow = () => client.ensure().catch(() => undefined);
  return (
    <Notice kind="warning" actions={<Button onClick={tryNow}>{t("shell.try-now")}</Button>}>
      <p>{t(offline ? "shell.offline" : "shell.lost")}</p>
      {!offline && (
        <p class="banners__countdown" role="timer" aria-live="off">
          {seconds > 0 ? t("shell.retry-in", { count: seconds }) : t("shell.retrying")}
        </p>
      )}
    </Notice>
  );
}

function Ended({ why }: { why: "signed-out" | "elsewhere" }) {
  if (why === "elsewhere") {
    return (
      <Notice kind="warning" actions={<Button onClick={reload}>{t("shell.here")}</Button>}>
        {t("shell.elsewhere")}
      </Notice>
    );
  }
  const ways = (
    <>
      <Reload />
      <Button kind="quiet" href="/recover">
        {t("shell.recover")}
      </Button>
    </>
  );
  return (
    <Notice kind="warning" actions={ways}>
      {t("shell.signed-out")}
    </Notice>
  );
}

function CalledOff() {
  const client = useClient();
  useEffect(() => announce(t("shell.called-off")), []);
  const dismiss = () => client.dismissCalledOff();
  const ways = (
    <>
      <Button href="/" onClick={dismiss}>
        {t("shell.play-again")}
      </Button>
      <Button kind="quiet" icon="close" iconOnly onClick={dismiss}>
        {t("common.close")}
      </Button>
    </>
  );
  return (
    <Notice kind="warning" actions={ways}>
      {t("shell.called-off")}
    </Notice>
  );
}

function Reload() {
  return <Button onClick={reload}>{t("shell.reload")}</Button>;
}

function reload(): void {
  location.reload();
}

/** Says when it was lost, and when it is back. */
function useAnnouncements(connection: Connection): void {
  const wasLost = useRef(false);
  const offline = connection.kind === "lost" && connection.offline;
  useEffect(() => {
    if (connection.kind === "lost") announce(t(offline ? "shell.offline" : "shell.lost"));
    if (connection.kind === "open" && wasLost.current) announce(t("shell.back-again"));
    if (connection.kind === "lost") wasLost.current = true;
    if (connection.kind === "open") wasLost.current = false;
  }, [connection.kind, offline]);
}

function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const ticking = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(ticking);
  }, [at]);
  return Math.max(0, Math.ceil((at - now) / 1_000));
}
