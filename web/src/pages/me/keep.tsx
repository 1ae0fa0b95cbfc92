/** Without a mail address an account lives in this browser alone: what that means, and how to change it. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { language, t } from "../../texts";
import { Button, Card, Field, Notice } from "../../ui";
import type { LinkSent, Profile } from "../../wire/generated";
import { useDoing } from "../room/use-doing";

export function Keep({ profile, onAgain }: { profile: Profile; onAgain: () => void }) {
  return (
    <Card title={t("me.keep")} class="keep">
      {profile.mail ? (
        <Notice kind="success">{t("me.kept-by", { address: profile.mail })}</Notice>
      ) : (
        <Notice kind="warning">{t("me.not-kept")}</Notice>
      )}
      <MailForm
        action={t(profile.mail ? "me.change-address" : "me.send-link")}
        kind={profile.mail ? "plain" : "primary"}
        hint={t(profile.mail ? "me.change-address-hint" : "me.keep-hint")}
        onAgain={onAgain}
      />
    </Card>
  );
}

interface MailFormProps {
  action: string;
  hint: string;
  kind?: "primary" | "plain";
  /** Looks whether the link has been used meanwhile. */
  onAgain?: () => void;
}

export function MailForm({ action, hint, kind = "primary", onAgain }: MailFormProps) {
  const client = useClient();
  const doing = useDoing();
  const [address, setAddress] = useState("");
  const [sent, setSent] = useState<{ to: string; minutes: number } | null>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    const to = address.trim();
    if (to === "") return;
    await doing.run("mail", async () => {
      await client.ensure();
      const { seconds } = await client.request<LinkSent>("POST", "/v1/mail", { address: to, language: language.value });
      setSent({ to, minutes: Math.round(seconds / 60) });
    });
  };
  if (sent !== null) return <Sent {...sent} onOther={() => setSent(null)} onAgain={onAgain} />;
  return (
    <form class="me__form" onSubmit={send} noValidate>
      <Field
        label={t("me.address")}
        type="email"
        inputMode="email"
        autocomplete="email"
        value={address}
        onInput={setAddress}
        hint={hint}
        error={doing.error}
        maxLength={254}
      />
      <Button type="submit" kind={kind} busy={doing.busy !== null} disabled={!address.includes("@")}>
        {action}
      </Button>
    </form>
  );
}

function Sent({ to, minutes, onOther, onAgain }: { to: string; minutes: number; onOther: () => void; onAgain: (() => void) | undefined }) {
  return (
    <Notice
      kind="info"
      actions={
        <>
          {onAgain && <Button onClick={onAgain}>{t("me.link-used")}</Button>}
          <Button kind="quiet" onClick={onOther}>
            {t("me.other-address")}
          </Button>
        </>
      }
    >
      {t("me.link-sent", { address: to, count: minutes })}
    </Notice>
  );
}
