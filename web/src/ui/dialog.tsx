/** A question in front of the page, by the browser's own dialog: it keeps the focus inside and gives it back. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../texts";
import { Button } from "./button";
import "./dialog.css";

export interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  /** Buttons at the end. */
  actions?: ComponentChildren;
  wide?: boolean;
  children?: ComponentChildren;
}

export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ title, onClose, actions, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Escape does by the browser itself
    <dialog
      ref={dialog}
      class={wide ? "dialog dialog--wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog__inside">
        <h2 class="dialog__title" id={heading}>
          {title}
        </h2>
        {children}
        {actions && <div class="dialog__actions">{actions}</div>}
      </div>
      {/* Last, so that the focus begins at what the dialog is about. */}
      <Button class="dialog__close" kind="quiet" icon="close" iconOnly onClick={onClose}>
        {t("common.close")}
      </Button>
    </dialog>
  );
}
