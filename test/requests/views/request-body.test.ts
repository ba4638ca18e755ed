import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateView } from '../../../playground/slack/validate/view.ts';
import {
  fitsRequestBody,
  formatRequestBody,
  requestBodyModal,
} from '../../../src/requests/views/request-body-modal.ts';
import { hiddenCharacters } from '../../../src/slack/ui/visible.ts';
import { propertyRuns } from '../../support/sampling.ts';

const section = z.object({ text: z.object({ text: z.string() }) });

/** What a reader of the dialog would copy. */
function readBack(body: string): string {
  const parts = requestBodyModal(body).blocks.flatMap((block) => {
    const shown = section.safeParse(block).data?.text.text ?? '';
    return shown.startsWith('```') ? [shown] : [];
  });
  return parts
    .map((text) => text.slice('```\n'.length, -'\n```'.length))
    .join('')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('```', '<!channel>', '\u202e', '\u200b', '⟨U+202E⟩', ':fire:', '&amp;', '\u0301'),
);

test('the dialog shows the whole body, so that it can be read back, with nothing hidden', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText))), (body) => {
      const shown = formatRequestBody(body);
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(body)));
      expect(shown).not.toContain('`');
      expect(hiddenCharacters(shown.replaceAll('\n', ''))).toEqual([]);
      expect(JSON.parse(readBack(shown))).toEqual(JSON.parse(shown));
      expect(validateView(requestBodyModal(shown))).toEqual([]);
    }),
    propertyRuns(2000, 200),
  );
});

test('a body that is too large for a dialog is not called shown', () => {
  expect(fitsRequestBody('x'.repeat(200_000))).toBe(true);
  expect(fitsRequestBody('<'.repeat(200_000))).toBe(false);
});
