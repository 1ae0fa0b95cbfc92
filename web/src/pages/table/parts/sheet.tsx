/** A sheet of paper over the lower part of the table: it can be folded to look at the layout once more. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { t } from "../../../texts";
import { Button } from "../../../ui";
import "./sheet.css";

export function Sheet({ title, actions, children }: { title: string; actions: ComponentChildren; children: ComponentChildren }) {
  const [folded, setFolded] = useState(false);
  const body = useId();
  const heading = useId();
  return (
    <section class={folded ? "sheet sheet--folded" : "sheet"} aria-labelledby={heading}>
      <div class="sheet__head">
        <h2 class="sheet__title" id={heading}>
          {title}
        </h2>
        <Button kind="quiet" icon="eye" expanded={!folded} controls={body} onClick={() => setFolded(!folded)}>
          {folded ? t("table.show-result") : t("table.show-layout")}
        </Button>
      </div>
      <div class="sheet__body" id={body} hidden={folded}>
        {children}
      </div>
      <div class="sheet__actions">{actions}</div>
    </section>
  );
}
