import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import { validateView } from '../../../../playground/slack/validate/view.ts';

const kinds = ['section', 'actions', 'input', 'context', 'static_select', 'modal', 'plain_text'];
const names = ['type', 'text', 'blocks', 'elements', 'element', 'accessory', 'options', 'block_id'];
const slackish = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...kinds),
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value')),
  ),
})).value;

test('any JSON is accepted or refused, without an exception', () => {
  fc.assert(
    fc.property(slackish, (value) => {
      expect(Array.isArray(validateMessage(value))).toBe(true);
      expect(Array.isArray(validateView(value))).toBe(true);
    }),
  );
});
