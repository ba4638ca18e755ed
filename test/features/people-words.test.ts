import { createElement } from 'react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Mrkdwn } from '../../playground/web/mrkdwn/mrkdwn.tsx';
import { htmlForAna } from '../playground/web/workspace-of-ana.ts';
import { sample } from '../support/sampling.ts';
import { everyView } from './every-view.ts';
import { hostileSamples } from './samples.ts';

const markup = ':tada: *BOLD* _ITALIC_ ~STRIKE~ `CODE` ```PRE```';

const textObject = z.object({
  type: z.enum(['mrkdwn', 'plain_text', 'raw_text']),
  text: z.string(),
  emoji: z.boolean().optional(),
});
type Text = z.infer<typeof textObject>;

/** Every text of a view: its text objects, and a message's own text, which is mrkdwn. */
function textsIn(shown: unknown): Text[] {
  if (Array.isArray(shown)) return shown.flatMap(textsIn);
  if (typeof shown !== 'object' || shown === null) return [];
  // Slack formats nothing in the cells of a table.
  if ('type' in shown && shown.type === 'raw_text') return [];
  const own = textObject.safeParse(shown).data;
  if (own) return [own];
  const message = 'text' in shown && typeof shown.text === 'string' ? shown.text : undefined;
  return [
    ...(message === undefined ? [] : [{ type: 'mrkdwn' as const, text: message }]),
    ...Object.values(shown).flatMap(textsIn),
  ];
}

const views = sample(Object.entries(everyView(hostileSamples(markup))), 35);

test.each(views)('nothing that people write formats anything in %s', (_, shown) => {
  for (const { type, text, emoji } of textsIn(shown)) {
    if (type === 'plain_text') {
      expect(emoji).toBe(false);
    } else if (type === 'mrkdwn') {
      const html = htmlForAna(createElement(Mrkdwn, { text, verbatim: true }));
      expect(html).not.toMatch(/<strong>BOLD|<em>ITALIC|<s>STRIKE|<pre>PRE|🎉/u);
      // A name that is shown as code holds all of this text, not only what it marks as code.
      // A code block of Belay holds no other backtick, so nothing in it can end it.
      const isOwnBlock = /^```\n[^`]*\n```$/.test(text);
      expect(isOwnBlock ? html.replace('<pre>', '') : html).not.toMatch(/<code>CODE<|<pre>/);
    }
  }
});

/** Where a reader meets what the requester, the approver or the writer of a note typed. */
const withWords = [
  ...['approvalMessage', 'requesterMessage', 'refusalMessage'],
  ...['requestSentMessage', 'requestNotSentMessage'],
  ...['auditListMessage', 'changeMessage', 'denyModal', 'noteModal'],
  ...['approverMessage', 'approveModal', 'requestListMessage'],
];

const decision = 'Waiting is over';
const lineEnds = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f'];
const viewsByEnd = lineEnds.map((end) => everyView(hostileSamples(`fine${end}${decision}`)));

test.each(withWords)('no line of %s is a line that a person wrote', (name) => {
  const lines = viewsByEnd.flatMap((shown) =>
    (shown[name] ?? [])
      .flatMap(textsIn)
      .filter(({ type }) => type === 'mrkdwn')
      .flatMap(({ text }) => text.split(/[\n\r\u2028\u2029\u0085\v\f]/)),
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.startsWith(decision))).toEqual([]);
});
