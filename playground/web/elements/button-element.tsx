import type { Button } from '@slack/types';
import { plainText } from '../mrkdwn/text-object.tsx';
import { useElement } from './use-element.ts';

export function ButtonElement({ element, blockId }: { element: Button; blockId: string }) {
  const { press, choose, isBusy, tabIndex } = useElement(element, blockId, undefined);
  const { value } = element;
  // With the value as it was drawn: the app may have changed the message meanwhile.
  const click = () => (value === undefined ? press() : choose(value));
  const look = {
    className: 'button',
    tabIndex,
    'data-style': element.style,
    'aria-label': element.accessibility_label,
    'aria-busy': isBusy,
  };
  // Link buttons dispatch an action as well.
  if (element.url && /^https?:/i.test(element.url)) {
    return (
      <a {...look} href={element.url} target="_blank" rel="noreferrer" onClick={click}>
        {plainText(element.text)}
      </a>
    );
  }
  return (
    <button {...look} type="button" onClick={click}>
      {plainText(element.text)}
    </button>
  );
}
