import type { Checkboxes } from '@slack/types';
import { OptionText } from './option-text.tsx';
import { useElement } from './use-element.ts';

type Props = { element: Checkboxes; blockId: string; label: string | undefined };

export function CheckboxesElement({ element, blockId, label }: Props) {
  const { values, change, naming, isBusy, tabIndex } = useElement(element, blockId, label);
  const { id, 'aria-invalid': isInvalid, ...groupNaming } = naming;
  return (
    <fieldset {...groupNaming} className="options" aria-busy={isBusy}>
      {element.options.map((option, index) => {
        const value = option.value ?? '';
        return (
          <label key={value} className="option">
            <input
              id={index === 0 ? id : undefined}
              type="checkbox"
              tabIndex={tabIndex}
              aria-invalid={isInvalid}
              checked={values.includes(value)}
              onChange={(event) =>
                change(
                  event.target.checked ? [...values, value] : values.filter((one) => one !== value),
                )
              }
            />
            <OptionText option={option} />
          </label>
        );
      })}
    </fieldset>
  );
}
