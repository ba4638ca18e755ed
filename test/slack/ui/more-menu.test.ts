import { expect, it } from 'vitest';
import { button } from '../../../src/slack/ui/blocks.ts';
import { moreMenuActionId, readClick, withMoreMenu } from '../../../src/slack/ui/more-menu.ts';

const make = (text: string, value = '{"id":"1"}') => button({ text, actionId: `a.${text}`, value });
const shown = [make('Approve'), make('Deny')];

it('an option of the menu reads like a click on its button', () => {
  const [, , menu] = withMoreMenu(shown, [make('View'), make('Withdraw', '{"id":"a b"}')]);
  if (menu?.type !== 'overflow') throw new Error('there is no menu');
  const clicks = menu.options.map((option) =>
    readClick({
      type: 'overflow',
      action_id: moreMenuActionId,
      block_id: 'b',
      action_ts: '1',
      selected_option: { text: option.text, value: option.value ?? '' },
    }),
  );
  expect(clicks).toEqual([
    { actionId: 'a.View', value: '{"id":"1"}' },
    { actionId: 'a.Withdraw', value: '{"id":"a b"}' },
  ]);
});

it('what an option is too short for, and a sixth, stay buttons', () => {
  const long = make('Long', `{"id":"${'x'.repeat(80)}"}`);
  const rest = ['1', '2', '3', '4', '5', '6'].map((text) => make(text));
  const elements = withMoreMenu(shown, [long, ...rest]);
  const texts = elements.map((one) => (one.type === 'button' ? one.text.text : one.type));
  expect(texts).toEqual(['Approve', 'Deny', 'Long', '6', 'overflow']);
});

it('a single option stays a button, because Slack refuses such a menu', () => {
  expect(withMoreMenu(shown, [make('View')]).map(({ type }) => type)).not.toContain('overflow');
});

it('there is no menu without a button before it', () => {
  const rest = [make('View'), make('Withdraw')];
  expect(withMoreMenu([], rest)).toEqual(rest);
});

it.each(['', ',"selected_option":{"value":"foreign"}'])(
  'a payload without an option of the menu is a click on the menu: %s',
  (option) => {
    const payload = `{"type":"overflow","action_id":"${moreMenuActionId}"${option}}`;
    expect(readClick(JSON.parse(payload))).toEqual({ actionId: moreMenuActionId });
  },
);
