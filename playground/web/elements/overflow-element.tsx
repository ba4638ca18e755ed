import type { Overflow } from '@slack/types';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { plainText } from '../mrkdwn/text-object.tsx';
import { useElement } from './use-element.ts';

type Props = { element: Overflow; blockId: string; label: string | undefined };

export function OverflowElement({ element, blockId, label }: Props) {
  const { choose, isBusy, tabIndex } = useElement(element, blockId, undefined);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (isOpen) menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // Closes this menu only, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      opener.current?.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !menu.current) return;
    event.preventDefault();
    const items = [...menu.current.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const current = items.findIndex((item) => item.matches(':focus'));
    items.at((current + step) % items.length)?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only sees its own buttons' keys and focus
    <div
      className="overflow"
      onKeyDown={isOpen ? onKeyDown : undefined}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={opener}
        type="button"
        className="button"
        tabIndex={tabIndex}
        aria-label={label ? `More options for ${label}` : 'More options'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-busy={isBusy}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">…</span>
      </button>
      {isOpen && (
        <div role="menu" className="menu" ref={menu}>
          {element.options.map((option) => (
            <button
              key={option.value}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOpen(false);
                opener.current?.focus();
                if (option.url) window.open(option.url, '_blank', 'noopener,noreferrer');
                choose(option.value ?? '');
              }}
            >
              {plainText(option.text)}
              {option.description && <span className="hint">{plainText(option.description)}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
