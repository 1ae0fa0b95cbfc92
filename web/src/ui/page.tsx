/** One page: its title, its heading, and where reading begins after a navigation. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import "./page.css";

export interface PageProps {
  title: string;
  /** A sentence below the heading. */
  lead?: ComponentChildren;
  /** `narrow` for forms and texts, `full` for a page that divides the whole window itself. */
  width?: "narrow" | "wide" | "full";
  /** The heading is there for those who listen, and not to be seen. */
  quietTitle?: boolean;
  /** More class names. */
  class?: string;
  children: ComponentChildren;
}

/** The first page of a visit does not take the focus: the browser has just put it at the document's beginning. */
let visited = false;

export function Page({ title, lead, width = "wide", quietTitle = false, class: more = "", children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === "Capicua" ? title : `${title} – Capicua`;
  }, [title]);
  useEffect(() => {
    if (visited) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    visited = true;
  }, []);
  return (
    <main id="main" class={`page page--${width} ${more}`} tabIndex={-1}>
      <h1 ref={heading} tabIndex={-1} class={quietTitle ? "visually-hidden" : "page__title"}>
        {title}
      </h1>
      {lead && <p class="page__lead">{lead}</p>}
      {children}
    </main>
  );
}
