/** What does something when pressed; with `href` a link that looks the same. Never taken out of the tab order. */
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon";
import "./button.css";

export interface ButtonProps {
  kind?: "primary" | "plain" | "quiet" | "danger";
  /** Its work is under way: it shows so and takes no second press. */
  busy?: boolean | undefined;
  /** Stays reachable and readable, and does nothing. */
  disabled?: boolean | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
  href?: string | undefined;
  type?: "button" | "submit";
  icon?: IconName;
  /** The icon stands alone; `children` is its name. */
  iconOnly?: boolean;
  wide?: boolean;
  large?: boolean;
  pressed?: boolean | undefined;
  expanded?: boolean | undefined;
  controls?: string | undefined;
  describedBy?: string | undefined;
  id?: string | undefined;
  /** More class names, for its place in a layout. */
  class?: string;
  children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const inactive = props.disabled === true || props.busy === true;
  const shared = {
    id: props.id,
    class: classOf(props),
    "aria-disabled": inactive ? ("true" as const) : undefined,
    "aria-busy": props.busy ? ("true" as const) : undefined,
    "aria-describedby": props.describedBy,
    onClick: (event: MouseEvent) => press(event, inactive, props.onClick),
  };
  if (props.href !== undefined) {
    return (
      <a {...shared} href={props.href}>
        <Inside {...props} />
      </a>
    );
  }
  return (
    <button
      {...shared}
      type={props.type ?? "button"}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      aria-controls={props.controls}
    >
      <Inside {...props} />
    </button>
  );
}

function press(event: MouseEvent, inactive: boolean, onClick: ButtonProps["onClick"]): void {
  if (inactive) {
    event.preventDefault();
    event.stopPropagation();
  } else {
    onClick?.(event);
  }
}

function Inside({ icon, iconOnly, children }: ButtonProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <span class={iconOnly ? "visually-hidden" : "button__text"}>{children}</span>
    </>
  );
}

function classOf({ kind = "plain", busy, iconOnly, wide, large, class: more }: ButtonProps): string {
  return [
    "button",
    `button--${kind}`,
    busy && "button--busy",
    iconOnly && "button--icon",
    wide && "button--wide",
    large && "button--large",
    more,
  ]
    .filter(Boolean)
    .join(" ");
}
