/** A raised piece of paper: a thing of its own on a page. */
import type { ComponentChildren } from "preact";
import "./card.css";

export interface CardProps {
  title?: ComponentChildren;
  /** What stands at the end of the title's line. */
  aside?: ComponentChildren;
  level?: 2 | 3;
  class?: string;
  children?: ComponentChildren;
}

export function Card({ title, aside, level = 2, class: more = "", children }: CardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section class={`card ${more}`}>
      {(title || aside) && (
        <div class="card__head">
          {title && <Heading class="card__title">{title}</Heading>}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
