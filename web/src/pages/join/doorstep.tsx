/** Before one sits down: a name, and what this seat is. Nothing is made or taken before the button is pressed. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, Card, Field, Notice } from "../../ui";
import { useDoing } from "../room/use-doing";

const NAME_CHARACTERS_MAX = 24;

export interface DoorstepProps {
  code: string;
  /** Comes into the room; the account is made by then. */
  onEnter: () => Promise<void>;
}

export function Doorstep({ code, onEnter }: DoorstepProps) {
  const client = useClient();
  const doing = useDoing();
  const newcomer = client.account.value === null;
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? client.name.value ?? "";
  const sit = async (event: Event) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === "") return;
    await doing.run("sit", async () => {
      await client.ensure({ passing: true });
      if (wanted !== client.name.value) await client.rename(wanted);
      await onEnter();
    });
  };
  return (
    <Card title={t("join.name-title")}>
      <form class="join__form" onSubmit={sit} noValidate>
        <Field
          label={t("join.name")}
          value={name}
          onInput={setTyped}
          hint={t("join.name-hint")}
          error={doing.error}
          maxLength={NAME_CHARACTERS_MAX}
          autocomplete="nickname"
          spellcheck={false}
        />
        <Button type="submit" kind="primary" large wide busy={doing.busy !== null} disabled={name.trim() === ""}>
          {t("join.sit-down")}
        </Button>
      </form>
      {newcomer && <Notice kind="info">{t("join.passing")}</Notice>}
      <p class="join__other">
        {t("join.no-screen")} <a href={`/room/${code}`}>{t("join.whole-table")}</a>
      </p>
    </Card>
  );
}
