/** A new personal token: its name, and what it may do. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { commandId } from "../../client/ids";
import { t } from "../../texts";
import { Button, Check, Field } from "../../ui";
import type { PersonalToken } from "../../wire/generated";
import { useDoing } from "../room/use-doing";

const SCOPES = ["play", "rooms", "account"] as const;
type Scope = (typeof SCOPES)[number];

export function TokenForm({ onMade }: { onMade: (secret: string | null | undefined) => void }) {
  const client = useClient();
  const doing = useDoing();
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["play"]);
  const make = async (event: Event) => {
    event.preventDefault();
    if (label.trim() === "" || scopes.length === 0) return;
    await doing.run("token", async () => {
      const wanted = { id: commandId(), label: label.trim(), scopes };
      const made = await client.request<PersonalToken>("POST", "/v1/me/tokens", wanted);
      setLabel("");
      onMade(made.secret);
    });
  };
  return (
    <details class="me__details">
      <summary>{t("me.make-token")}</summary>
      <form class="me__form" onSubmit={make} noValidate>
        <Field label={t("me.token-label")} value={label} onInput={setLabel} maxLength={60} error={doing.error} autocomplete="off" />
        <fieldset class="me__scopes">
          <legend>{t("me.scopes")}</legend>
          {SCOPES.map((scope) => (
            <Check
              key={scope}
              label={t(`me.scope-${scope}`)}
              hint={t(`me.scope-${scope}-hint`)}
              checked={scopes.includes(scope)}
              onChange={(on) => setScopes(SCOPES.filter((one) => (one === scope ? on : scopes.includes(one))))}
            />
          ))}
        </fieldset>
        <Button type="submit" busy={doing.busy !== null} disabled={label.trim() === "" || scopes.length === 0}>
          {t("me.make-token")}
        </Button>
      </form>
    </details>
  );
}
