/** Declared bots: programs with accounts of their own, which everybody sees to be bots. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { commandId } from "../../client/ids";
import { t } from "../../texts";
import { Button, Field, Notice } from "../../ui";
import type { PersonalToken, Profile, Program } from "../../wire/generated";
import { useDoing } from "../room/use-doing";

interface BotsProps {
  programs: readonly string[];
  onProfile: (profile: Profile) => void;
  onMade: (secret: string | null | undefined) => void;
}

export function Bots({ programs, onProfile, onMade }: BotsProps) {
  const client = useClient();
  const doing = useDoing();
  const [label, setLabel] = useState("");
  const declare = async (event: Event) => {
    event.preventDefault();
    if (label.trim() === "") return;
    await doing.run("declare", async () => {
      const wanted = { id: commandId(), label: label.trim() };
      const made = await client.request<Program>("POST", "/v1/me/programs", wanted);
      setLabel("");
      onMade(made.token.secret);
    });
  };
  return (
    <details class="me__details">
      <summary>{t("me.bots", { count: programs.length })}</summary>
      <p class="me__soft">{t("me.bots-hint")}</p>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      <ul class="me__list">
        {programs.map((program) => (
          <Bot key={program} program={program} doing={doing} onProfile={onProfile} onMade={onMade} />
        ))}
      </ul>
      <form class="me__form" onSubmit={declare} noValidate>
        <Field label={t("me.bot-label")} value={label} onInput={setLabel} maxLength={60} autocomplete="off" />
        <Button type="submit" busy={doing.busy === "declare"} disabled={label.trim() === ""}>
          {t("me.declare-bot")}
        </Button>
      </form>
    </details>
  );
}

interface BotProps extends Omit<BotsProps, "programs"> {
  program: string;
  doing: ReturnType<typeof useDoing>;
}

function Bot({ program, doing, onProfile, onMade }: BotProps) {
  const client = useClient();
  const [sure, setSure] = useState(false);
  const path = `/v1/me/programs/${program}`;
  const renew = () =>
    doing.run(`renew ${program}`, async () => {
      onMade((await client.request<PersonalToken>("POST", `${path}/token`, { id: commandId() })).secret);
    });
  const end = () =>
    doing.run(`end ${program}`, async () => onProfile(await client.request<Profile>("DELETE", path)));
  return (
    <li class="me__line">
      <code class="me__what">{program}</code>
      <Button kind="quiet" icon="refresh" busy={doing.busy === `renew ${program}`} onClick={renew}>
        {t("me.new-token")}
      </Button>
      <Button
        kind={sure ? "danger" : "quiet"}
        icon="trash"
        busy={doing.busy === `end ${program}`}
        onClick={() => (sure ? end() : setSure(true))}
      >
        {t(sure ? "me.end-bot-sure" : "me.end-bot")}
      </Button>
    </li>
  );
}
