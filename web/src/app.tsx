/** The whole client: the page of the address, and what stands around every page. */
import { useEffect } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso/router";
import { ClientContext } from "./client/context";
import type { Client } from "./client/types";
import { Banners } from "./shell/banners";
import { Footer } from "./shell/footer";
import { watchPointing } from "./shell/foresight";
import { Header } from "./shell/header";
import { OwnGames } from "./shell/own-games";
import { MISSING, ROUTES } from "./shell/routes";
import { SafetyNet } from "./shell/safety-net";
import { t } from "./texts";
import { Announcements } from "./ui";
import "./app.css";

/** Addresses of the server's own, which are no pages of the client. */
const PAGES = /^\/(?!v1\/|docs(\/|$)|openapi|asyncapi)/;
const WITHOUT_HEADER = /^\/tv$/;
const WITHOUT_FOOTER = /^\/(table\/|tv$|join(\/|$)|practice$)/;

export function App({ client }: { client: Client }) {
  return (
    <ClientContext.Provider value={client}>
      <LocationProvider scope={PAGES}>
        <Frame />
      </LocationProvider>
    </ClientContext.Provider>
  );
}

function Frame() {
  const { url, path } = useLocation();
  useEffect(() => watchPointing(document), []);
  return (
    <>
      <a class="skip-link" href="#main">
        {t("shell.skip")}
      </a>
      {!WITHOUT_HEADER.test(path) && <Header />}
      <Banners />
      <SafetyNet url={url}>
        <Router>
          {ROUTES.map((route) => (
            <Route key={route.path} path={route.path} component={route.page.component} />
          ))}
          <Route default component={MISSING.component} />
        </Router>
      </SafetyNet>
      {!WITHOUT_FOOTER.test(path) && <Footer />}
      <OwnGames />
      <Announcements />
    </>
  );
}
