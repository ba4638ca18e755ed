import { createElement } from 'react';
import { expect, test } from 'vitest';
import { TextObjectText } from '../../../../playground/web/mrkdwn/text-object.tsx';
import { htmlForAna } from '../workspace-of-ana.ts';

function draw(text: string, verbatim?: boolean): string {
  const given = verbatim === undefined ? {} : { verbatim };
  return htmlForAna(createElement(TextObjectText, { text: { type: 'mrkdwn', text, ...given } }));
}

const link = /<a |class="mention"/;

test.each([
  ['see https://a.example/x?y=1&amp;z=2.', 'href="https://a.example/x?y=1&amp;z=2"'],
  ['*https://a.example*', '<strong><a href="https://a.example"'],
  ['[md](https://a.example)', '[md](<a href="https://a.example"'],
  ['ask in #ops', 'href="#ops">#ops<'],
  ['ask @ana, please', 'data-me="true">@Ana Ruiz<'],
  ['@here: help', 'class="mention">@here<'],
])('links are found in %s, unless it is verbatim', (text, expected) => {
  expect(draw(text)).toContain(expected);
  expect(draw(text, false)).toContain(expected);
  expect(draw(text, true)).not.toMatch(link);
});

test.each([
  '`https://a.example @here`',
  '```#ops```',
  'x@ana #nowhere @nobody a#ops',
  'x@here.example',
])('no links are found in %s', (text) => {
  expect(draw(text)).not.toMatch(link);
});

test.each([
  '<@U0ANA> <#C0OPS> <!here>',
  '<https://a.example/@here#ops|the #ops of @ana>',
  '<!date^1416000000^{date_num}|https://a.example>',
  '*bold* `code` :bell:',
])('markup in %s is rendered the same, verbatim or not', (text) => {
  expect(draw(text, true)).toBe(draw(text));
});
