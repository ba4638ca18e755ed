import type { BlockElementAction } from '@slack/bolt';
import type { Button, Overflow } from '@slack/types';
import { z } from 'zod';
import { limits } from './limits.ts';

export const moreMenuActionId = 'more';

/** Slack's limits: https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element */
const maxOptions = 5;
const minOptions = 2;

/**
 * `shown` as buttons and the rest in a menu ("…") behind them. An option of the menu runs the same
 * listener as its button, without a question before. What an option can't carry stays a button, and
 * so does everything if nothing else would be shown.
 */
export function withMoreMenu(shown: Button[], rest: Button[]): (Button | Overflow)[] {
  const fitting = rest.filter((one) => optionValue(one).length <= limits.optionValue);
  const inMenu = fitting.slice(0, maxOptions);
  if (shown.length === 0 || inMenu.length < minOptions) return [...shown, ...rest];
  const options = inMenu.map((one) => ({ text: one.text, value: optionValue(one) }));
  return [
    ...shown,
    ...rest.filter((one) => !inMenu.includes(one)),
    { type: 'overflow', action_id: moreMenuActionId, options },
  ];
}

function optionValue({ action_id: actionId = '', value = '' }: Button): string {
  return `${actionId} ${value}`;
}

/** A signed payload may have none, whatever its type says, and is read before it is acknowledged. */
const choice = z.looseObject({ selected_option: z.looseObject({ value: z.string() }) });

/**
 * What was clicked: the id and the value of a button, also if it was chosen in a menu; of a menu that acts at
 * once, also the text of the option.
 */
export function readClick(action: BlockElementAction): {
  actionId: string;
  value?: string | undefined;
  optionText?: string | undefined;
} {
  const { action_id: actionId } = action;
  if (action.type === 'button') return { actionId, value: action.value };
  if (action.type === 'static_select') {
    const { value, text } = action.selected_option ?? {};
    return { actionId, value, optionText: text?.text };
  }
  if (actionId !== moreMenuActionId) return { actionId };
  const chosen = choice.safeParse(action).data?.selected_option.value;
  const [, id, value] = /^(\S+) (.*)$/s.exec(chosen ?? '') ?? [];
  return { actionId: id ?? actionId, value };
}
