/** What is lost with the browser's data, everything that is known as an archive, and the end of the account. */
import { useState } from "preact/hooks";
import { useClient } from "../../client/context";
import { t } from "../../texts";
import { Button, Card, Dialog, Field, Notice, toast } from "../../ui";
import type { Deleted, Profile } from "../../wire/generated";
import { useDoing } from "../room/use-doing";

export function Data({ profile }: { profile: Profile }) {
  const client = useClient();
  const doing = useDoing();
  const [deleting, setDeleting] = useState(false);
  const exported = () =>
    doing.run("export", async () => {
      offer(await client.download("/v1/me/export"), "capicua-export.zip");
      toast(t("me.exported"));
    });
  return (
    <Card title={t("me.data")}>
      <Notice kind={profile.mail ? "info" : "warning"}>{t(profile.mail ? "me.clearing-kept" : "me.clearing-guest")}</Notice>
      {doing.error && <Notice kind="error">{doing.error}</Notice>}
      <div class="me__actions">
        <Button busy={doing.busy === "export"} onClick={exported} icon="arrow-down">
          {t("me.export")}
        </Button>
        <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
          {t("me.delete")}
        </Button>
      </div>
      <p class="me__soft">{t("me.export-hint")}</p>
      <DeleteDialog profile={profile} open={deleting} onClose={() => setDeleting(false)} />
    </Card>
  );
}

/** The browser saves it where it saves downloads. */
function offer(archive: Blob, name: string): void {
  const address = URL.createObjectURL(archive);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

function DeleteDialog({ profile, open, onClose }: { profile: Profile; open: boolean; onClose: () => void }) {
  const client = useClient();
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const sure = typed.trim().toLocaleLowerCase() === t("me.delete-word").toLocaleLowerCase();
  const end = () =>
    doing.run("delete", async () => {
      const body = { confirm: profile.account };
      const { pseudonym } = await client.request<Deleted>("DELETE", "/v1/me", body);
      toast(t("me.deleted", { pseudonym }));
      client.forget();
      onClose();
    });
  return (
    <Dialog
      title={t("me.delete-title")}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" busy={doing.busy !== null} disabled={!sure} onClick={end}>
            {t("me.delete-now")}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
        </>
      }
    >
      <p>{t("me.delete-hint")}</p>
      <Field
        label={t("me.delete-type", { word: t("me.delete-word") })}
        value={typed}
        onInput={setTyped}
        error={doing.error}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
    </Dialog>
  );
}
