/** Something is on its way. It shows after a moment only, so that what is quick does not flicker. */
import { t } from "../texts";
import "./loading.css";

export function Loading({ label }: { label?: string }) {
  return (
    <div class="loading" role="status">
      <span class="loading__tile" aria-hidden="true">
        <span class="loading__pip" />
        <span class="loading__pip" />
      </span>
      <span>{label ?? t("common.loading")}</span>
    </div>
  );
}
