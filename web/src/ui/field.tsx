/** A line to write in, with its label, a hint, and what is wrong with what was written. */
import { useId } from "preact/hooks";
import "./field.css";

export interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string | undefined;
  error?: string | null | undefined;
  type?: "text" | "email" | "search";
  /** Lines of a longer text. */
  rows?: number;
  name?: string;
  autocomplete?: string;
  inputMode?: "text" | "email" | "numeric";
  autocapitalize?: "none" | "characters" | "sentences";
  spellcheck?: boolean;
  maxLength?: number;
  required?: boolean;
  placeholder?: string;
  /** For codes: wide letters of one width. */
  code?: boolean;
}

export function Field(props: FieldProps) {
  const id = useId();
  const { label, hint, error, rows, code = false, onInput, ...rest } = props;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const shared = {
    ...rest,
    id,
    class: code ? "field__input field__input--code" : "field__input",
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": described || undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      {rows === undefined ? <input {...shared} list={undefined} /> : <textarea {...shared} rows={rows} />}
      {hint && (
        <p class="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field__error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
