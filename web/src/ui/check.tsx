/** Yes or no to one sentence. */
import "./check.css";

export interface CheckProps {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Check({ label, hint, checked, onChange, disabled = false }: CheckProps) {
  return (
    <label class="check">
      <input
        class="check__input"
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <span class="check__label">{label}</span>
        {hint && <span class="check__hint">{hint}</span>}
      </span>
    </label>
  );
}
