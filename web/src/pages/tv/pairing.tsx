/** A screen without a room: the code by which its host brings it in, or the room's own code to be typed here. */
import type { Screen } from "../../client/screen";
import { t } from "../../texts";
import { refusalText } from "../../texts/refusal";
import { Loading } from "../../ui";
import { spokenCode } from "../room/code";
import { CodeForm } from "../room/code-form";
import { useDoing } from "../room/use-doing";

export function Pairing({ screen, closed }: { screen: Screen; closed: boolean }) {
  const doing = useDoing();
  const pairing = screen.pairing.value;
  const error = screen.error.value;
  return (
    <section class="tv-pairing">
      <p class="tv-pairing__brand">{t("common.capicua")}</p>
      {closed && <p class="tv-pairing__note">{t("room.closed")}</p>}
      {pairing === null ? (
        <div class="tv-pairing__code">{error === null ? <Loading /> : <p role="alert">{refusalText(error)}</p>}</div>
      ) : (
        <div class="tv-pairing__code">
          <p class="tv-pairing__label">{t("tv.pairing-code")}</p>
          <p class="tv-pairing__letters">
            <span aria-hidden="true">{spokenCode(pairing)}</span>
            <span class="visually-hidden">{[...pairing].join(" ")}</span>
          </p>
        </div>
      )}
      <ol class="tv-pairing__steps">
        <li>{t("tv.step-room", { address: `${location.host}/room` })}</li>
        <li>{t("tv.step-code")}</li>
        <li>{t("tv.step-phones")}</li>
      </ol>
      <div class="tv-pairing__form">
        <CodeForm
          label={t("tv.or-room-code")}
          action={t("tv.show")}
          kind="plain"
          busy={doing.busy !== null}
          error={doing.error}
          onCode={(code) => doing.run("show", () => screen.show(code))}
        />
      </div>
    </section>
  );
}
