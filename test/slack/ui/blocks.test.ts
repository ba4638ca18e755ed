import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import {
  actions,
  button,
  confirmation,
  context,
  divider,
  fieldSections,
  header,
  message,
  notice,
  section,
} from '../../../src/slack/ui/blocks.ts';
import { barChart } from '../../../src/slack/ui/chart.ts';
import { textField } from '../../../src/slack/ui/form-fields.ts';
import { limits } from '../../../src/slack/ui/limits.ts';
import { escapeMrkdwn, mention, readShown } from '../../../src/slack/ui/mrkdwn.ts';
import { type TableColumn, table } from '../../../src/slack/ui/table.ts';

/** Text of any length, often far beyond Slack's limits. */
const text = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 3000 }))
  .map(([unit, times]) => `x${unit.repeat(times).slice(0, 20_000)}`);
// Views encode the bracket ⟨, and a cut never leaves one open.
const escaped = text.map((any) => escapeMrkdwn(any.replaceAll('⟨', '')));
const fields = fc.array(fc.record({ label: escaped, value: escaped }), {
  minLength: 1,
  maxLength: 45,
});

it('builds blocks that Slack accepts, with text of any length', () => {
  fc.assert(
    fc.property(text, (any) => {
      const confirm = confirmation({ title: any, question: any, verb: any, isDanger: true });
      const pressed = button({
        text: any,
        actionId: 'a',
        value: '1',
        style: 'danger',
        confirm,
        accessibilityLabel: any,
      });
      const blocks = [
        header(any),
        section(any),
        section(any, button({ text: any, actionId: 'b', value: '1' })),
        context(any),
        divider(),
        actions([pressed]),
        ...(notice(any).blocks ?? []),
      ];
      expect(validateMessage(blocks)).toEqual([]);
      expect(notice(any).text.length).toBeLessThanOrEqual(4000);
    }),
    { numRuns: 50 },
  );
});

it.each(['', ' \n\t', '\u202e'])('gives a header a placeholder when its text is %j', (blank) => {
  expect(header(blank).text.text).toBe('(no name)');
});

it('prevents Slack from finding links and mentions in mrkdwn', () => {
  const texts = [
    section('x').text,
    ...(fieldSections([{ label: 'a', value: 'b' }])[0]?.fields ?? []),
    ...context('x').elements,
  ];
  expect(texts).toHaveLength(3);
  for (const text of texts) expect(text).toMatchObject({ type: 'mrkdwn', verbatim: true });
});

it('shows the characters of a header that cannot be seen', () => {
  expect(header('ana\u202egro.live').text.text).toBe('ana⟨U+202E⟩gro.live');
});

it('distributes any number of fields over valid sections, in order', () => {
  fc.assert(
    fc.property(fields, (all) => {
      const sections = fieldSections(all);
      expect(validateMessage(sections)).toEqual([]);
      expect(sections).toHaveLength(Math.ceil(all.length / 10));
      const shown = sections.flatMap((one) => one.fields ?? []);
      expect(shown).toHaveLength(all.length);
      for (const [index, { label }] of all.entries()) {
        expect(shown[index]?.text.startsWith(`*${label}`.slice(0, 1000))).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it('builds no section if there are no fields', () => {
  expect(fieldSections([])).toEqual([]);
});

describe('the text of a message', () => {
  const approve = button({ text: 'Approve', actionId: 'a', value: '1' });

  it('is what people read in its blocks', () => {
    const shown = message([
      header('Disable Kim Lee'),
      section('*Pending*', approve),
      divider(),
      ...fieldSections([{ label: 'Email', value: 'kim@x.example' }]),
      actions([approve]),
      context(`Requested by ${mention('U1')}`),
    ]);
    expect(shown.text.split('\n')).toEqual([
      'Disable Kim Lee',
      '*Pending*',
      '*Email*',
      'kim@x.example',
      'Requested by <@U1>',
    ]);
  });

  it('names the figures of a table and the title of a chart', () => {
    const columns: TableColumn[] = [{ title: 'Policy' }, { title: 'Compliant' }, { title: 'ID' }];
    const chart = barChart({ title: 'Volumes', categories: ['Nov 3'], series: [] });
    const { text } = message([table(columns, [['Gold', '7', ''], ['Silver']]), chart]);
    expect(text).toBe('Gold: compliant 7 · id –\nSilver: \nVolumes');
  });

  it('leaves out images and what people enter', () => {
    const image = { type: 'image' as const, image_url: 'https://x.example/a.png', alt_text: 'A' };
    const { text } = message([
      section('Shown'),
      image,
      { type: 'context', elements: [image] },
      textField({ label: 'Reason', maxLength: 10 })('reason').block('Left'),
    ]);
    expect(text).toBe('Shown');
  });

  it.each([
    '<!channel>',
    '<@U1>',
    '<https://phish.example|Approve>',
    '*Approved* :white_check_mark:',
  ])('does not format the plain text %s', (typed) => {
    const { text } = message([header(typed), table([{ title: typed }], [[typed]])]);
    expect(text).not.toMatch(/[<>*]|:white_check_mark:/);
    expect(text.split('\n').map((line) => readShown(line.replace(/: $/, '')))).toEqual([
      typed,
      typed,
    ]);
  });

  it('is cut to the limit of Slack', () => {
    const { text } = message([
      section('a'.repeat(2500)),
      section(`${'b'.repeat(1490)} &amp;&amp;&amp;`),
    ]);
    expect(text.length).toBeLessThanOrEqual(limits.messageText);
    expect(text).toMatch(/b &amp;…$/);
  });

  it('is another one if given', () => {
    expect(message([section('Long')], 'Short').text).toBe('Short');
  });
});
