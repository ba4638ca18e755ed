import type { ConfirmationDialog, PlainTextElement } from '@slack/types';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { ChoiceGroup } from './choices.ts';
import { useElement } from './use-element.ts';

type Props = {
  element: {
    action_id?: string;
    confirm?: ConfirmationDialog;
    placeholder?: PlainTextElement;
    max_selected_items?: number;
  };
  choices: ChoiceGroup[];
  blockId: string;
  label: string | undefined;
};

/**
 * A button that shows the selection and opens the list. The action is dispatched when the list closes
 * or loses focus. Losing focus does not close it, because that would move what the person clicks.
 */
export function MultiSelect({ element, choices, blockId, label }: Props) {
  const placeholder = element.placeholder?.text ?? 'Choose options';
  const { values, hold, dispatch, naming, isBusy, tabIndex } = useElement(
    element,
    blockId,
    label ?? placeholder,
  );
  const [isOpen, setOpen] = useState(false);
  const dispatchedValues = useRef(values);
  const opener = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const isFull = values.length >= (element.max_selected_items ?? Number.POSITIVE_INFINITY);
  const all = choices.flatMap((group) => group.choices);
  const chosen = all.filter(({ value }) => values.includes(value)).map(({ text }) => text);

  function dispatchChanges() {
    if (values.join() === dispatchedValues.current.join()) return;
    dispatch(values, dispatchedValues.current);
    dispatchedValues.current = values;
  }

  function toggle() {
    if (isOpen) dispatchChanges();
    setOpen(!isOpen);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isOpen) return;
    // Closes this list only, not the dialog around it.
    event.preventDefault();
    event.stopPropagation();
    toggle();
    opener.current?.focus();
  }

  const { id, ...groupNaming } = naming;
  const { 'aria-invalid': isInvalid, ...fieldsetNaming } = groupNaming;
  return (
    <fieldset
      {...fieldsetNaming}
      className="multi-select"
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) dispatchChanges();
      }}
    >
      <button
        ref={opener}
        id={id}
        type="button"
        className="select"
        tabIndex={tabIndex}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-busy={isBusy}
        aria-invalid={isInvalid}
        aria-describedby={naming['aria-describedby']}
        data-empty={chosen.length === 0}
        onClick={toggle}
      >
        {chosen.length > 0 ? chosen.join(', ') : placeholder}
      </button>
      {isOpen && (
        <div id={listId} className="multi-select-list">
          {choices.map((group) => (
            <div key={group.label ?? ''}>
              {group.label && <p className="quiet">{group.label}</p>}
              {group.choices.map(({ value, text }) => (
                <label key={value} className="option">
                  <input
                    type="checkbox"
                    checked={values.includes(value)}
                    disabled={isFull && !values.includes(value)}
                    onChange={(event) =>
                      hold(
                        event.target.checked
                          ? [...values, value]
                          : values.filter((one) => one !== value),
                      )
                    }
                  />
                  {text}
                </label>
              ))}
            </div>
          ))}
        </div>
      )}
    </fieldset>
  );
}
