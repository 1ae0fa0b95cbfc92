/** A page that is fetched when somebody goes there, with its catalogues; says so when it does not come. */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { type Area, loadArea, t } from "../texts";
import { Button, Loading, Notice, Page } from "../ui";

export interface LazyPage {
  component: FunctionComponent;
  /** Fetches it, where that is not done yet. */
  preload(): Promise<void>;
}

type Load = () => Promise<{ default: FunctionComponent }>;

export interface LazyOptions {
  areas?: readonly Area[];
  /** Another address of the same page is another page: what it holds is not carried over. */
  byPath?: boolean;
}

export function lazyPage(load: Load, { areas = [], byPath = false }: LazyOptions = {}): LazyPage {
  let Loaded: FunctionComponent | null = null;
  const preload = async () => {
    if (Loaded !== null) return;
    const [module] = await Promise.all([load(), ...areas.map(loadArea)]);
    Loaded = module.default;
  };
  const component = () => {
    const { path } = useLocation();
    const { failed, again } = useLoading(Loaded !== null, preload);
    if (Loaded !== null) return <Loaded key={byPath ? path : ""} />;
    return failed ? <NotLoaded again={again} /> : <OnItsWay />;
  };
  return { component, preload };
}

function useLoading(loaded: boolean, preload: () => Promise<void>) {
  const [failures, setFailures] = useState(0);
  const [, come] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (loaded) return;
    let here = true;
    preload().then(
      () => here && come(true),
      () => here && setFailures((count) => count + 1),
    );
    return () => {
      here = false;
    };
  }, [loaded, round]);
  const again = () => {
    if (failures > 1)
      location.reload(); // the server may have another version by now
    else setRound(round + 1);
  };
  return { failed: failures > 0, again };
}

function OnItsWay() {
  return (
    <main id="main" class="page" aria-busy="true" tabIndex={-1}>
      <Loading />
    </main>
  );
}

function NotLoaded({ again }: { again: () => void }) {
  return (
    <Page title={t("shell.not-loaded-title")} width="narrow">
      <Notice kind="warning" actions={<Button onClick={again}>{t("common.try-again")}</Button>}>
        {t("shell.not-loaded")}
      </Notice>
    </Page>
  );
}
