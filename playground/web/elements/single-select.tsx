import type { ConfirmationDialog, PlainTextElement } from '@slack/types';
import type { ChoiceGroup } from './choices.ts';
import { useElement } from './use-element.ts';

type Props = {
  element: { action_id?: string; confirm?: ConfirmationDialog; placeholder?: PlainTextElement };
  choices: ChoiceGroup[];
  blockId: string;
  label: string | undefined;
};

export function SingleSelect({ element, choices, blockId, label }: Props) {
  const placeholder = element.placeholder?.text ?? 'Choose an option';
  const { text, change, naming, isBusy, isDispatching, isRequired, tabIndex } = useElement(
    element,
    blockId,
    label ?? placeholder,
  );
  return (
    <select
      {...naming}
      tabIndex={tabIndex}
      className="select"
      aria-busy={isBusy}
      data-empty={text === ''}
      value={text}
      onChange={(event) => change(event.target.value || null)}
    >
      {(text === '' || !isRequired) && (
        <option value="" disabled={isDispatching}>
          {placeholder}
        </option>
      )}
      {choices.map((group) =>
        group.label === undefined ? (
          <Options key="" group={group} />
        ) : (
          <optgroup key={group.label} label={group.label}>
            <Options group={group} />
          </optgroup>
        ),
      )}
    </select>
  );
}

function Options({ group }: { group: ChoiceGroup }) {
  return group.choices.map(({ value, text }) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}
