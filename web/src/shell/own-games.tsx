/** The way to the tables at which one sits: taken at once by whoever waits for a table, offered to everybody else. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useClient } from "../client/context";
import { t } from "../texts";
import { announce, Button } from "../ui";
import "./own-games.css";

const WHERE_PEOPLE_WAIT = /^\/(queue$|rooms\/|room(\/|$))/;
/** These lead to their own table themselves, and have no room to spare. */
const WITHOUT_BAR = /^\/(table\/|tv$|join(\/|$))/;
const SHOWN_MAX = 3;

export function OwnGames() {
  const { path } = useLocation();
  useWayToTable();
  const tables = useClient().seats.value.map((seat) => seat.table_id);
  if (tables.length === 0 || WITHOUT_BAR.test(path)) return null;
  return (
    <aside class="own-games" aria-label={t("shell.seated", { count: tables.length })}>
      <span class="own-games__text">{t("shell.seated", { count: tables.length })}</span>
      {tables.slice(0, SHOWN_MAX).map((table, index) => (
        <Button key={table} kind="primary" href={`/table/${table}`}>
          {tables.length === 1 ? t("shell.return") : t("shell.return-to", { number: index + 1 })}
        </Button>
      ))}
    </aside>
  );
}

function useWayToTable(): void {
  const client = useClient();
  const { path, route } = useLocation();
  const place = useRef(path);
  useEffect(() => {
    place.current = path;
  }, [path]);
  /** Null until the server has said where one sits: what one had before the page was opened calls nobody away. */
  const known = useRef<ReadonlySet<string> | null>(null);
  useSignalEffect(() => {
    const tables = client.seats.value.map((seat) => seat.table_id);
    const open = client.connection.value.kind === "open";
    const before = known.current;
    if (!open && before === null) return;
    known.current = new Set(tables);
    const newest = tables.findLast((table) => before === null || !before.has(table));
    const waits = before === null ? place.current === "/queue" : WHERE_PEOPLE_WAIT.test(place.current);
    if (newest === undefined || !waits) return;
    announce(t("shell.at-your-table"));
    route(`/table/${newest}`);
  });
}
