import { expect, test } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import { actions, button, option, plain } from '../sample-blocks.ts';

const section = (text = 'x', more: object = {}) => ({
  type: 'section',
  text: { type: 'mrkdwn', text },
  ...more,
});
const options = [option('a'), option('b')];
const many = (count: number) => Array.from({ length: count }, (_, index) => option(`o${index}`));
const accessory = (element: object) => [section('x', { accessory: element })];
const raw = (text: string) => ({ type: 'raw_text', text });
const table = (rows: object[][], more: object = {}) => ({ type: 'table', rows, ...more });
type Point = { label: string; value: unknown };
const point = (label: string, value: unknown = 1): Point => ({ label, value });
const series = (name: string, data: Point[]) => ({ name, data });
const labels = (count: number) => Array.from({ length: count }, (_, index) => `Day ${index}`);
/** A bar chart of these categories. Without `all`, with one series that covers them. */
const chart = (categories: string[], all?: object[], more: object = {}) => ({
  type: 'data_visualization',
  title: 'Noncompliant volumes',
  chart: {
    type: 'bar',
    series: all ?? [
      series(
        'A',
        categories.map((label) => point(label)),
      ),
    ],
    axis_config: { categories },
  },
  ...more,
});
const pie = (...segments: Point[]) => chart([], [], { chart: { type: 'pie', segments } });
const repeat = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);
const richCell = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});

test.each<[string, unknown[]]>([
  ['every plain block', [section(), { type: 'divider' }, { type: 'header', text: plain('x') }]],
  ['fields', [{ type: 'section', fields: [plain('a'), plain('b')] }]],
  ['context', [{ type: 'context', elements: [{ type: 'mrkdwn', text: '*x*' }] }]],
  ['buttons', [actions('a', button('x', { style: 'danger', value: '1' }), button('y'))]],
  ['a static select', accessory({ type: 'static_select', options, initial_option: option('a') })],
  ['radio buttons', accessory({ type: 'radio_buttons', options })],
  ['checkboxes', accessory({ type: 'checkboxes', options })],
  ['an overflow menu', accessory({ type: 'overflow', options })],
  ['a users select', accessory({ type: 'users_select', initial_user: 'U1' })],
  ['a conversations select', accessory({ type: 'conversations_select' })],
  ['a date picker', accessory({ type: 'datepicker', initial_date: '2026-11-20' })],
  ['a time picker', accessory({ type: 'timepicker', initial_time: '09:30' })],
  ['markdown', [{ type: 'markdown', text: '# Title' }]],
  [
    'a table',
    [table([[raw('x'), richCell('y')]], { column_settings: [null, { align: 'right' }] })],
  ],
  ['the largest table', [table(repeat(repeat(raw('12345'), 20), 100))]],
  ['two tables of 10,000 characters', repeat(table(repeat([raw('x'.repeat(50))], 100)), 2)],
  [
    'the largest chart',
    [
      chart(
        labels(20),
        ['A', 'B', 'C', 'D', 'E', 'F'].map((name) =>
          series(
            name,
            labels(20).map((label) => point(label, -1.5)),
          ),
        ),
      ),
    ],
  ],
  ['a pie', [pie(point('A'), point('B', 0.5))]],
  ['two charts', repeat(chart(['A']), 2)],
  [
    'rich text',
    [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
      },
    ],
  ],
])('accepts %s', (_name, blocks) => {
  expect(validateMessage(blocks)).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['no list at all', { type: 'section' }, '/blocks'],
  ['101 rows', [table(repeat([raw('x')], 101))], '/blocks/0/rows'],
  ['21 columns', [table([repeat(raw('x'), 21)])], '/blocks/0/rows/0'],
  ['an empty cell', [table([[raw('')]])], '/blocks/0/rows/0/0/text'],
  ['a number in a cell', [table([[{ type: 'raw_number', value: 1 }]])], '/blocks/0/rows/0/0/type'],
  [
    'settings for 21 columns',
    [table([[raw('x')]], { column_settings: repeat({ align: 'left' }, 21) })],
    '/blocks/0/column_settings',
  ],
  [
    'more than 10,000 characters in two tables',
    [table([[raw('x'.repeat(5000))]]), table([[richCell('x'.repeat(5001))]])],
    '/blocks',
  ],
  ['three charts', repeat(chart(['A']), 3), '/blocks'],
  ['21 points', [chart(labels(21))], '/blocks/0/chart/series/0/data'],
  ['a chart without points', [chart([])], '/blocks/0/chart/axis_config/categories'],
  ['seven series', [chart(['A'], repeat(series('A', [point('A')]), 7))], '/blocks/0/chart/series'],
  [
    'two series of one name',
    [chart(['A'], repeat(series('A', [point('A')]), 2))],
    '/blocks/0/chart/series',
  ],
  [
    'a series that leaves out a category',
    [chart(['A', 'B'], [series('A', [point('A')])])],
    '/blocks/0/chart/series',
  ],
  [
    'a point without a number',
    [chart(['A'], [series('A', [point('A', null)])])],
    '/blocks/0/chart/series/0/data/0/value',
  ],
  ['a category twice', [chart(['A', 'A'])], '/blocks/0/chart/axis_config/categories'],
  ['a long category', [chart(['x'.repeat(21)])], '/blocks/0/chart/axis_config/categories/0'],
  [
    'a long title of a chart',
    [chart(['A'], undefined, { title: 'x'.repeat(51) })],
    '/blocks/0/title',
  ],
  ['an empty segment', [pie(point('A', 0))], '/blocks/0/chart/segments/0/value'],
  ['51 blocks', Array.from({ length: 51 }, () => section()), '/blocks'],
  ['an unknown block', [section(), { type: 'nope' }], '/blocks/1/type'],
  ['a section without text', [{ type: 'section' }], '/blocks/0'],
  ['an empty text', [section('')], '/blocks/0/text/text'],
  ['a long text', [section('x'.repeat(3001))], '/blocks/0/text/text'],
  ['a property of no block', [section('x', { colour: 'red' })], '/blocks/0'],
  [
    'eleven fields',
    [{ type: 'section', fields: many(11).map(() => plain('x')) }],
    '/blocks/0/fields',
  ],
  [
    'a mrkdwn header',
    [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }],
    '/blocks/0/text/type',
  ],
  ['a long header', [{ type: 'header', text: plain('x'.repeat(151)) }], '/blocks/0/text/text'],
  ['no actions', [actions('a')], '/blocks/0/elements'],
  ['26 buttons', [actions('a', ...many(26).map((_, i) => button(`b${i}`)))], '/blocks/0/elements'],
  [
    'a long label',
    [actions('a', button('x', { text: plain('x'.repeat(76)) }))],
    '/blocks/0/elements/0/text/text',
  ],
  [
    'a long value',
    [actions('a', button('x', { value: 'x'.repeat(2001) }))],
    '/blocks/0/elements/0/value',
  ],
  [
    'an input as an action',
    [{ type: 'actions', elements: [{ type: 'plain_text_input' }] }],
    '/blocks/0/elements/0/type',
  ],
  [
    'a button as an input',
    [{ type: 'input', label: plain('x'), element: button('x') }],
    '/blocks/0/element/type',
  ],
  [
    'a menu without options',
    accessory({ type: 'static_select', options: [] }),
    '/blocks/0/accessory/options',
  ],
  ['a menu with nothing to list', accessory({ type: 'static_select' }), '/blocks/0/accessory'],
  [
    'a long option',
    accessory({ type: 'static_select', options: [option('x'.repeat(76))] }),
    '/blocks/0/accessory/options/0/text/text',
  ],
  [
    'six in an overflow menu',
    accessory({ type: 'overflow', options: many(6) }),
    '/blocks/0/accessory/options',
  ],
  [
    'eleven radio buttons',
    accessory({ type: 'radio_buttons', options: many(11) }),
    '/blocks/0/accessory/options',
  ],
  [
    'an initial option not offered',
    accessory({ type: 'radio_buttons', options, initial_option: option('z') }),
    '/blocks/0/accessory',
  ],
  [
    'a date that is none',
    accessory({ type: 'datepicker', initial_date: '2026-02-30' }),
    '/blocks/0/accessory/initial_date',
  ],
  [
    'a block id twice',
    [section('x', { block_id: 'a' }), section('y', { block_id: 'a' })],
    '/blocks/1/block_id',
  ],
  [
    'an action id twice',
    [actions('a', button('x'), button('x'))],
    '/blocks/0/elements/1/action_id',
  ],
  [
    'too much markdown',
    [1, 2].map(() => ({ type: 'markdown', text: 'x'.repeat(6001) })),
    '/blocks',
  ],
])('refuses %s', (_name, blocks, pointer) => {
  expect(validateMessage(blocks).map((one) => one.pointer)).toContain(pointer);
});
