/** A secret that is said once: it can be copied now, and never again. */
import { t } from "../../texts";
import { Button, Dialog, Notice, toast } from "../../ui";

export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret ?? "");
      toast(t("common.copied"));
    } catch {
      toast(t("me.copy-by-hand"));
    }
  };
  return (
    <Dialog
      title={t("me.secret-title")}
      open={secret !== null}
      onClose={onClose}
      actions={
        <>
          <Button icon="copy" onClick={copy}>
            {t("common.copy")}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t("me.secret-kept")}
          </Button>
        </>
      }
    >
      <Notice kind="warning">{t("me.secret-once")}</Notice>
      <p>
        <code class="me__secret">{secret}</code>
      </p>
    </Dialog>
  );
}
