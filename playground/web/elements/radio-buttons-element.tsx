import type { RadioButtons } from '@slack/types';
import { OptionText } from './option-text.tsx';
import { useElement } from './use-element.ts';

type Props = { element: RadioButtons; blockId: string; label: string | undefined };

export function RadioButtonsElement({ element, blockId, label }: Props) {
  const { text, change, naming, isBusy, tabIndex } = useElement(element, blockId, label);
  const { id, 'aria-invalid': isInvalid, ...groupNaming } = naming;
  return (
    <fieldset {...groupNaming} className="options" aria-busy={isBusy}>
      {element.options.map((option, index) => (
        <label key={option.value} className="option">
          <input
            id={index === 0 ? id : undefined}
            type="radio"
            tabIndex={tabIndex}
            name={`${blockId}/${element.action_id}`}
            aria-invalid={isInvalid}
            checked={text === option.value}
            onChange={() => change(option.value ?? null)}
          />
          <OptionText option={option} />
        </label>
      ))}
    </fieldset>
  );
}
