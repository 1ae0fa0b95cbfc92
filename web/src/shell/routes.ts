/** Which page stands at which address. */
import { exec } from "preact-iso/router";
import { type LazyPage, lazyPage } from "./lazy-page";

export const ROUTES: readonly { path: string; page: LazyPage }[] = [
  { path: "/", page: lazyPage(() => import("../pages/start/page")) },
  { path: "/queue", page: lazyPage(() => import("../pages/queue/page"), { areas: ["queue"] }) },
  { path: "/rooms/:preset", page: lazyPage(() => import("../pages/rooms/page"), { areas: ["rooms"], byPath: true }) },
  { path: "/room/:code?", page: lazyPage(() => import("../pages/room/page"), { areas: ["room"] }) },
  { path: "/practice", page: lazyPage(() => import("../pages/practice/page"), { areas: ["practice", "table"] }) },
  { path: "/table/:id", page: lazyPage(() => import("../pages/table/page"), { areas: ["table"], byPath: true }) },
  { path: "/tv", page: lazyPage(() => import("../pages/tv/page"), { areas: ["tv"] }) },
  { path: "/join/:code?", page: lazyPage(() => import("../pages/join/page"), { areas: ["join"] }) },
  { path: "/me", page: lazyPage(() => import("../pages/me/page"), { areas: ["me"] }) },
  { path: "/recover/:code?", page: lazyPage(() => import("../pages/recover/page"), { areas: ["recover"] }) },
  { path: "/guide/:preset", page: lazyPage(() => import("../pages/guide/page"), { areas: ["guide"], byPath: true }) },
  { path: "/rules/:preset", page: lazyPage(() => import("../pages/rules/page"), { areas: ["rules"], byPath: true }) },
];

export const MISSING = lazyPage(() => import("../pages/missing/page"));

/** The page at an address, fetched or not. */
export function pageAt(path: string): LazyPage {
  return ROUTES.find((route) => exec(path, route.path) !== undefined)?.page ?? MISSING;
}
