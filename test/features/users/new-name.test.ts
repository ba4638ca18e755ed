import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { rename } from '../../../src/features/users/user-actions.ts';
import { readShown } from '../../../src/slack/ui/mrkdwn.ts';
import { isValidTypedName, parseTypedName } from '../../../src/slack/ui/typed-name.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { hostileText } from '../../slack/ui/hostile-text.ts';

test.each([
  ['Joana  Prado', 'Joana Prado'],
  ['\u00a0Joana\u00a0\u2003Prado\u3000', 'Joana Prado'],
  ['Joana\r\nPrado\t', 'Joana Prado'],
  ['Ze\u0301', 'Zé'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['*Joana* ⟨Prado⟩ & Söhne', '*Joana* ⟨Prado⟩ & Söhne'],
])('%j is taken as %j', (typed, name) => {
  expect(parseTypedName(typed)).toEqual({ name });
});

test.each([
  ['Joana\u202eodarP', 'U+202E'],
  ['Joana\u200bPrado', 'U+200B'],
  ['Joana \u200d', 'U+200D'],
  ['Joana\u2066Prado', 'U+2066'],
  ['Joana\u00adPrado', 'U+00AD'],
  ['Joana\0', 'U+0000'],
  ['\u0338Joana', 'U+0338'],
  ['Joana\u3164', 'U+3164'],
  ['\ud800Joana', 'U+D800'],
])('%j is refused', (typed, code) => {
  expect(parseTypedName(typed)).toEqual({
    problem: `Remove the invisible character ⟨${code}⟩.`,
  });
});

test('a name that a message would cut is refused', () => {
  expect(parseTypedName('⟨'.repeat(60))).toMatchObject({ problem: expect.any(String) });
  expect(parseTypedName('x'.repeat(255))).toEqual({ name: 'x'.repeat(255) });
});

test('what a request shows as the new name is exactly what the service receives', async () => {
  const { client, service } = await openReference();
  await fc.assert(
    fc.asyncProperty(hostileText, async (typed) => {
      const parsed = parseTypedName(typed);
      fc.pre('name' in parsed);
      const payload = { id: '8', fullName: 'Ana Silva', newFullName: parsed.name };
      const { summary, steps } = rename.describe(payload, {});
      const shown = / to (\*.*\*)$/u.exec(summary)?.[1] ?? '';
      await steps[0].run(client, { everyMs: 1, timeoutMs: 60_000 });
      const { body } = service.requests.at(-1) ?? {};
      const sent = z.object({ full_name: z.string() }).parse(JSON.parse(body ?? ''));
      expect(readShown(shown)).toBe(sent.full_name);
      expect(isValidTypedName(sent.full_name)).toBe(true);
    }),
  );
});
