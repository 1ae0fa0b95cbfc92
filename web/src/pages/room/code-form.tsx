/** Where a room's code is typed; a pasted link does as well. */
import { useState } from "preact/hooks";
import { t } from "../../texts";
import { Button, Field } from "../../ui";
import { codeFault, typedCode } from "./code";

export interface CodeFormProps {
  action: string;
  onCode: (code: string) => void;
  label?: string;
  /** What is wrong with the code that was given last. */
  error?: string | null;
  busy?: boolean;
  kind?: "primary" | "plain";
}

export function CodeForm({ action, onCode, label, error, busy = false, kind = "primary" }: CodeFormProps) {
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState<string | null>(null);
  const fault = tried === typed ? codeFault(typed) : null;
  const wrong = fault === null ? (tried === typed ? error : null) : t(`room.code-${fault}`);
  const submit = (event: Event) => {
    event.preventDefault();
    setTried(typed);
    if (codeFault(typed) === null) onCode(typed);
  };
  return (
    <form class="code-form" onSubmit={submit} noValidate>
      <Field
        label={label ?? t("room.code")}
        value={typed}
        onInput={(text) => setTyped(typedCode(text))}
        error={wrong}
        code
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
      />
      <Button type="submit" kind={kind} busy={busy}>
        {action}
      </Button>
    </form>
  );
}
