/** How others come into the room: its code to say, its link to send, its picture for a phone's camera. */
import { t } from "../../texts";
import { Button, Card, toast } from "../../ui";
import type { PrivateRoom } from "../../wire/generated";
import { spokenCode } from "./code";
import { Qr } from "./qr";

export function linkInto(room: PrivateRoom): string {
  return room.link ?? `${location.origin}/join/${room.code}`;
}

export function Invitation({ room }: { room: PrivateRoom }) {
  const link = linkInto(room);
  return (
    <Card title={t("room.invite")} class="invitation">
      <div class="invitation__inside">
        <Qr code={room.code} />
        <div class="invitation__words">
          <p class="invitation__label">{t("room.code")}</p>
          <p class="invitation__code">
            <span aria-hidden="true">{spokenCode(room.code)}</span>
            <span class="visually-hidden">{[...room.code].join(" ")}</span>
          </p>
          <p class="invitation__hint">{t("room.invite-hint", { address: `${location.host}/join` })}</p>
          <div class="invitation__actions">
            {"share" in navigator && (
              <Button kind="primary" icon="share" onClick={() => share(link)}>
                {t("room.share")}
              </Button>
            )}
            <Button icon="copy" onClick={() => copy(link)}>
              {t("room.copy-link")}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}

async function share(link: string): Promise<void> {
  try {
    await navigator.share({ title: t("common.capicua"), text: t("room.share-text"), url: link });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) await copy(link);
  }
}

async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast(t("room.link-copied"));
  } catch {
    toast(t("room.link-not-copied", { link }));
  }
}
