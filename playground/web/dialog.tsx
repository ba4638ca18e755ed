import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

type Props = {
  title: string;
  /** False while another dialog is on top. The contents stay mounted, so nothing typed is lost. */
  isOpen?: boolean;
  closeLabel: string;
  /** Escape. */
  onCancel: () => void;
  /** The X. */
  onExit: () => void;
  children: ReactNode;
};

/** The browser's modal dialog, which traps focus and restores it on close. */
export function Dialog({ title, isOpen = true, closeLabel, onCancel, onExit, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hasFocused = useRef(false);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || !isOpen) return;
    element.showModal();
    hasFocused.current = false;
    return () => element.close();
  }, [isOpen]);

  // On each render, because an app may open a dialog empty and fill it later.
  useLayoutEffect(() => {
    if (!isOpen || hasFocused.current) return;
    const first = dialog.current?.querySelector<HTMLElement>(
      '.dialog-body :is(input, textarea, select, .select), .dialog-foot button[data-first]',
    );
    first?.focus();
    hasFocused.current = Boolean(first);
  });

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-modal="true"
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onCancel();
      }}
      onClose={() => {
        // Browsers close it on a second Escape even if the page prevented the first.
        if (isOpen && !dialog.current?.open) dialog.current?.showModal();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label={closeLabel} onClick={onExit}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}
