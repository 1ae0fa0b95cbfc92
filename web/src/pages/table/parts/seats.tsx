/** All other seats, above the layout; a tap on one tells more of it. */
import { useState } from "preact/hooks";
import { t } from "../../../texts";
import { Button, Dialog, ReportButton } from "../../../ui";
import { othersAround, type SeatShown, seatShown } from "../model/seating";
import { numbersText } from "../model/sentences";
import { useDesk } from "./desk";
import { Marks, SeatCard } from "./seat_card";
import "./seats.css";

export function Seats() {
  const { view, nameOf } = useDesk();
  const [open, setOpen] = useState<number | null>(null);
  const others = othersAround(view, nameOf);
  return (
    <>
      <ul class="seats" aria-label={t("table.others")}>
        {others.map((seat) => (
          <SeatCard key={seat.seat} seat={seat} onOpen={setOpen} />
        ))}
      </ul>
      {open !== null && <SeatDialog seat={seatShown(view, open, nameOf)} onClose={() => setOpen(null)} />}
    </>
  );
}

function SeatDialog({ seat, onClose }: { seat: SeatShown; onClose: () => void }) {
  const { view, state, muted, mute } = useDesk();
  const isMuted = muted.has(seat.account);
  const label = isMuted ? t("table.unmute", { name: seat.name }) : t("table.mute", { name: seat.name });
  const actions = seat.bot ? undefined : (
    <>
      <Button icon={isMuted ? "sound" : "mute"} onClick={() => void mute(seat.account, !isMuted)}>
        {label}
      </Button>
      <ReportButton place="person" person={seat.account} tableId={view.table_id} version={state.version} />
    </>
  );
  return (
    <Dialog title={seat.name} open onClose={onClose} actions={actions}>
      <p>
        <Marks seat={seat} />
      </p>
      <p>
        {t("common.tiles", { count: seat.tiles })}, {t("common.points", { count: seat.score })}
      </p>
      <PassList seat={seat} />
    </Dialog>
  );
}

/** All passes of the round with the numbers that were open, and the draws. */
export function PassList({ seat }: { seat: SeatShown }) {
  if (seat.passes.length === 0 && seat.drawn === 0) return <p class="pass-list__none">{t("table.no-passes")}</p>;
  return (
    <ul class="pass-list">
      {seat.passes.map((ends, index) => (
        <li key={index}>{t("table.passed-on", { ends: numbersText(ends) })}</li>
      ))}
      {seat.drawn > 0 && <li>{t("table.drew", { count: seat.drawn })}</li>}
    </ul>
  );
}
