/** The link into a room as a picture that phones read. It has a white border of its own, in the dark as well. */
import { t } from "../../texts";
import "./qr.css";

export function Qr({ code, small = false }: { code: string; small?: boolean }) {
  return (
    <img
      class={small ? "qr qr--small" : "qr"}
      src={`/v1/private-rooms/${code}/qr.svg`}
      alt={t("room.qr-alt", { code })}
      width={264}
      height={264}
    />
  );
}
