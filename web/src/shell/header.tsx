/** The head of every page: where one is, where one may go, and language and colours. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { t } from "../texts";
import { Button } from "../ui";
import { Settings } from "./settings";
import "./header.css";

const LINKS = [
  { href: "/", under: /^\/(queue)?$/, text: "shell.play" },
  { href: "/rooms/draw", under: /^\/rooms?(\/|$)/, text: "shell.rooms" },
  { href: "/practice", under: /^\/practice$/, text: "shell.practice" },
  { href: "/guide/draw", under: /^\/(guide|rules)\//, text: "shell.guide" },
  { href: "/me", under: /^\/(me|recover)(\/|$)/, text: "shell.me" },
] as const;

export function Header() {
  const [menu, setMenu] = useState(false);
  const [settings, setSettings] = useState(false);
  const { url, path } = useLocation();
  const header = useRef<HTMLElement>(null);
  useClosing(header, menu, () => setMenu(false), url);
  return (
    <header class="header" ref={header}>
      <a class="header__home" href="/" aria-label={t("shell.home")}>
        <Mark />
        <span class="header__name">Capicua</span>
      </a>
      <nav
        id="navigation"
        class={menu ? "header__nav header__nav--open" : "header__nav"}
        aria-label={t("shell.navigation")}
      >
        {LINKS.map(({ href, under, text }) => (
          <a key={href} class="header__link" href={href} aria-current={under.test(path) ? "page" : undefined}>
            {t(text)}
          </a>
        ))}
      </nav>
      <Button kind="quiet" icon="globe" iconOnly onClick={() => setSettings(true)}>
        {t("shell.settings")}
      </Button>
      <Button
        class="header__menu"
        kind="quiet"
        icon={menu ? "close" : "menu"}
        iconOnly
        expanded={menu}
        controls="navigation"
        onClick={() => setMenu(!menu)}
      >
        {t("shell.menu")}
      </Button>
      <Settings open={settings} onClose={() => setSettings(false)} />
    </header>
  );
}

/** Two tiles that read the same from both sides: what the name means. */
function Mark() {
  return (
    <svg class="header__mark" viewBox="0 0 46 24" aria-hidden="true" focusable="false">
      <rect class="header__tile" x="1" y="3" width="21" height="18" rx="4" />
      <rect class="header__tile" x="24" y="3" width="21" height="18" rx="4" />
      <path class="header__bar" d="M11.500 6v12M34.500 6v12" />
      <circle class="header__pip" cx="6.300" cy="12" r="1.900" />
      <circle class="header__pip" cx="16.800" cy="8.500" r="1.900" />
      <circle class="header__pip" cx="16.800" cy="15.500" r="1.900" />
      <circle class="header__pip" cx="29.200" cy="8.500" r="1.900" />
      <circle class="header__pip" cx="29.200" cy="15.500" r="1.900" />
      <circle class="header__pip" cx="39.700" cy="12" r="1.900" />
    </svg>
  );
}

/** The menu closes by Escape, by a press elsewhere, and when one has gone somewhere. */
function useClosing(within: { current: HTMLElement | null }, open: boolean, close: () => void, url: string): void {
  useEffect(close, [url]);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      close();
      within.current?.querySelector<HTMLElement>("[aria-controls='navigation']")?.focus();
    };
    const onPress = (event: Event) => {
      if (event.target instanceof Node && within.current?.contains(event.target) === false) close();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPress);
    };
  }, [open]);
}
