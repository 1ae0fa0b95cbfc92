/** Something to know, with a colour, a picture and words that say the same. */
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon";
import "./notice.css";

export type NoticeKind = "info" | "warning" | "error" | "success";

const ICONS: Readonly<Record<NoticeKind, IconName>> = {
  info: "info",
  warning: "warning",
  error: "warning",
  success: "check",
};

export interface NoticeProps {
  kind: NoticeKind;
  /** Buttons beside it. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Notice({ kind, actions, children }: NoticeProps) {
  return (
    <div class={`notice notice--${kind}`} role={kind === "error" ? "alert" : undefined}>
      <Icon name={ICONS[kind]} />
      <div class="notice__text">{children}</div>
      {actions && <div class="notice__actions">{actions}</div>}
    </div>
  );
}
