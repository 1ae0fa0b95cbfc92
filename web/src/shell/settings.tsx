/** Language and colours; both change everything at once. */
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, language, t } from "../texts";
import { refusalText } from "../texts/refusal";
import { Choice, Dialog, toast } from "../ui";
import { chooseTheme, THEMES, theme } from "../ui/theme";

export function Settings({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title={t("shell.settings")} open={open} onClose={onClose}>
      <Choice
        legend={t("shell.language")}
        value={language.value}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
        onChange={(chosen) => chooseLanguage(chosen).catch((error: unknown) => toast(refusalText(error)))}
      />
      <Choice
        legend={t("shell.theme")}
        value={theme.value}
        options={THEMES.map((value) => ({ value, label: t(`shell.theme-${value}`) }))}
        onChange={chooseTheme}
      />
    </Dialog>
  );
}
