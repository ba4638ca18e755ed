import { createElement } from 'react';
import { expect, test } from 'vitest';
import { Mrkdwn } from '../../../../playground/web/mrkdwn/mrkdwn.tsx';
import { plainText } from '../../../../playground/web/mrkdwn/text-object.tsx';
import { htmlForAna } from '../workspace-of-ana.ts';

/** Only markup; automatic links and mentions are tested in auto-parse.test.ts. */
function draw(text: string): string {
  const html = htmlForAna(createElement(Mrkdwn, { text, verbatim: true }));
  return html.replace(/^<div class="mrkdwn">|<\/div>$/g, '');
}

test.each([
  ['*bold* _italic_ ~strike~', '<strong>bold</strong> <em>italic</em> <s>strike</s>'],
  ['`a *b*` &amp; ```c\n  d```', '<code>a *b*</code> &amp; <pre>c\n  d</pre>'],
  ['**x** a*b*c 10*2*3', '**x** a*b*c 10*2*3'],
  ['# x\n---\n[md](https://a.example)', '# x\n---\n[md](https://a.example)'],
  ['> one\n> two', '<blockquote> one\n two</blockquote>'],
  ['&gt; one', '<blockquote> one</blockquote>'],
  ['3 > 2', '3 &gt; 2'],
])('%s is rendered as in Slack', (text, expected) => {
  expect(draw(text)).toBe(expected);
});

test.each([
  ['`a`: b', '<code>a</code>: b'],
  ['“`a`” or `b`; `c`…', '“<code>a</code>” or <code>b</code>; <code>c</code>…'],
  ['*`a`: b* *b `c`*', '<strong><code>a</code>: b</strong> <strong>b <code>c</code></strong>'],
  ['```a``` <https://a.example/`x`:y|`b`:>', '<pre>a</pre> <a href="https://a.example/`x`:y"'],
  ['a`b`: `c`d', 'a`b`: `c`d'],
])('code may stand next to any punctuation, as in Slack: %s', (text, expected) => {
  expect(draw(text).slice(0, expected.length)).toBe(expected);
});

test.each([
  ['&lt;b&gt;', '&lt;b&gt;'],
  ['&amp;lt;', '&amp;lt;'],
  ['<script>alert(1)</script>', 'script'],
  ['<javascript:alert(1)|press>', 'press'],
])('%s never becomes HTML or a script', (text, expected) => {
  const html = draw(text);
  expect(html).toContain(expected);
  expect(html).not.toMatch(/<(?!\/?(strong|em)>)|href/);
});

test('a link to a message of this workspace leads to that message', () => {
  expect(draw('<https://harbor-ops.slack.com/archives/C0OPS/p1700000000000100|View request>')).toBe(
    '<a href="#ops/1700000000.000100">View request</a>',
  );
});

test('a link opens in a new tab without a referrer', () => {
  expect(draw('<https://a.example/?x=1&amp;y=2|here>')).toBe(
    '<a href="https://a.example/?x=1&amp;y=2" target="_blank" rel="noreferrer">here</a>',
  );
});

test.each([
  ['<@U0BEN>', 'class="mention" data-me="false">@Ben Cho<'],
  ['<@U0ANA|someone>', 'data-me="true">@Ana Ruiz<'],
  ['<@U0STRANGER>', '@U0STRANGER'],
  ['<#C0OPS>', 'href="#ops">#ops<'],
  ['<#C0SECRET>', '#private-channel'],
  ['<!here> <!channel>', '>@here</span> <span class="mention">@channel<'],
])('%s is a mention', (text, expected) => {
  expect(draw(text)).toContain(expected);
});

test.each([
  ['x:warning:z 10:30:45', 'x:warning:z 10:30:45'],
  [':bell: Late', '🔔 Late'],
  [':not_an_emoji:', ':not_an_emoji:'],
])('requires a boundary and a known name for emoji in %s', (text, expected) => {
  expect(draw(text)).toBe(expected);
});

test('an emoji character is drawn with an accessible name, and nothing else is taken for one', () => {
  expect(draw('⏳ Pending')).toMatch(/^<svg .*aria-label="hourglass".*<\/svg> Pending$/);
  expect(draw('constructor')).toBe('constructor');
});

test('a colored circle is drawn with an accessible name', () => {
  expect(draw(':large_red_circle: Error')).toContain('role="img" aria-label="red circle"');
  expect(draw('x:large_red_circle:')).toBe('x:large_red_circle:');
});

test.each([
  ['white_check_mark', 'check mark'],
  ['double_vertical_bar', 'pause'],
])('%s is drawn with an accessible name', (name, label) => {
  expect(draw(`:${name}: Cleared`)).toMatch(new RegExp(`role="img" aria-label="${label}"`));
  expect(plainText({ text: `:${name}:` })).not.toContain(':');
});

test('a date is rendered in the reader’s time zone', () => {
  const html = draw('<!date^1416000000^{date_num} {time}|long ago>');
  expect(html).toContain('dateTime="2014-11-14T21:20:00.000Z"');
  expect(html).toContain('>2014-11-14 10:20 PM</time>');
  expect(draw('<!date^soon^{time}|some time>')).toBe('some time');
});

test('plain text renders emoji and no other markup', () => {
  expect(plainText({ text: '*a* &amp; :bell: 10:30:45' })).toBe('*a* &amp; 🔔 10:30:45');
  expect(plainText({ text: ':bell:', emoji: false })).toBe(':bell:');
});
