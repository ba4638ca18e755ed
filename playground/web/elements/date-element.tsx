import type { Datepicker, Timepicker } from '@slack/types';
import { useElement } from './use-element.ts';

type Props = { element: Datepicker | Timepicker; blockId: string; label: string | undefined };

export function DateElement({ element, blockId, label }: Props) {
  const { text, change, naming, isBusy, tabIndex } = useElement(
    element,
    blockId,
    label ?? element.placeholder?.text,
  );
  return (
    <input
      {...naming}
      tabIndex={tabIndex}
      className="text-input"
      type={element.type === 'datepicker' ? 'date' : 'time'}
      value={text}
      aria-busy={isBusy}
      onChange={(event) => change(event.target.value || null)}
    />
  );
}
