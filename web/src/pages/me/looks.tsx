/** What others see: the name and the tile beside it. And the language, in which mails are written too. */
import { useState } from "preact/hooks";
import { TileFace } from "../../board";
import { useClient } from "../../client/context";
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, type Language, language, t } from "../../texts";
import { Button, Card, Choice, Dialog, Field, Notice, toast } from "../../ui";
import type { Profile } from "../../wire/generated";
import { useDoing } from "../room/use-doing";

const NAME_CHARACTERS_MAX = 24;
const HALVES = [6, 5, 4, 3, 2, 1, 0] as const;
/** All 28, higher half first. */
const TILES = HALVES.flatMap((high) => HALVES.filter((low) => low <= high).map((low) => `${high}-${low}`));

interface LooksProps {
  profile: Profile;
  onProfile: (profile: Profile) => void;
}

export function Looks(props: LooksProps) {
  return (
    <Card title={t("me.looks")}>
      <div class="me__looks">
        <Avatar {...props} />
        <Name {...props} />
      </div>
      <Languages {...props} />
    </Card>
  );
}

function Name({ profile, onProfile }: LooksProps) {
  const client = useClient();
  const doing = useDoing();
  const [name, setName] = useState(client.name.value ?? profile.name);
  const save = async (event: Event) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === "") return;
    const done = await doing.run("name", async () => {
      await client.rename(wanted);
      const called = client.name.value ?? wanted;
      onProfile({ ...profile, name: called });
      setName(called);
    });
    if (done) toast(t("me.name-saved"));
  };
  return (
    <form class="me__name" onSubmit={save} noValidate>
      <Field
        label={t("me.name")}
        value={name}
        onInput={setName}
        error={doing.error}
        hint={t("me.name-hint")}
        maxLength={NAME_CHARACTERS_MAX}
        autocomplete="nickname"
        spellcheck={false}
      />
      <Button type="submit" busy={doing.busy !== null} disabled={name.trim() === "" || name.trim() === profile.name}>
        {t("common.save")}
      </Button>
    </form>
  );
}

function Avatar({ profile, onProfile }: LooksProps) {
  const client = useClient();
  const doing = useDoing();
  const [open, setOpen] = useState(false);
  const choose = async (avatar: string) => {
    const done = await doing.run("avatar", async () => {
      onProfile(await client.request<Profile>("PATCH", "/v1/me/profile", { avatar }));
    });
    if (done) setOpen(false);
  };
  return (
    <>
      <button type="button" class="me__avatar" aria-label={t("me.avatar", { tile: profile.avatar })} onClick={() => setOpen(true)}>
        <TileFace tile={profile.avatar} />
      </button>
      <Dialog title={t("me.avatar-choose")} open={open} onClose={() => setOpen(false)}>
        {doing.error && <Notice kind="error">{doing.error}</Notice>}
        <div class="me__tiles">
          {TILES.map((tile) => (
            <button
              key={tile}
              type="button"
              class="me__tile"
              aria-label={tile}
              aria-pressed={tile === profile.avatar}
              onClick={() => choose(tile)}
            >
              <TileFace tile={tile} />
            </button>
          ))}
        </div>
      </Dialog>
    </>
  );
}

function Languages({ profile, onProfile }: LooksProps) {
  const client = useClient();
  const doing = useDoing();
  const choose = (wanted: Language) =>
    doing.run("language", async () => {
      await chooseLanguage(wanted);
      onProfile(await client.request<Profile>("PATCH", "/v1/me/profile", { language: wanted }));
    });
  return (
    <>
      <Choice
        legend={t("me.language")}
        value={language.value}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        onChange={choose}
        hint={profile.language === language.value ? undefined : t("me.language-mails", { language: LANGUAGE_NAMES[profile.language] })}
      />
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
    </>
  );
}
