/** One of a few, all of them in sight: a row of radio buttons, so arrow keys and readers work as everywhere. */
import { useId } from "preact/hooks";
import "./choice.css";

export interface ChoiceOption<Value extends string | number> {
  value: Value;
  label: string;
  disabled?: boolean;
  /** The label's language where it is not the page's. */
  lang?: string;
}

export interface ChoiceProps<Value extends string | number> {
  legend: string;
  value: Value;
  options: readonly ChoiceOption<Value>[];
  onChange: (value: Value) => void;
  /** The legend is there for those who listen alone. */
  quietLegend?: boolean;
  hint?: string | undefined;
  disabled?: boolean;
}

export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice" aria-describedby={props.hint && `${name}-hint`}>
      <legend class={props.quietLegend ? "visually-hidden" : "choice__legend"}>{props.legend}</legend>
      <div class="choice__row">
        {props.options.map((option) => (
          <label class="choice__option" key={option.value}>
            <input
              class="choice__input"
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === props.value}
              disabled={props.disabled === true || option.disabled === true}
              onChange={() => props.onChange(option.value)}
            />
            <span class="choice__label" lang={option.lang}>
              {option.label}
            </span>
          </label>
        ))}
      </div>
      {props.hint && (
        <p class="choice__hint" id={`${name}-hint`}>
          {props.hint}
        </p>
      )}
    </fieldset>
  );
}
