import { expect, test } from 'vitest';
import { countAlerts, faultsOf } from '../../../bench/storm/count-alerts.ts';

const vm = (number: number) => `storm-vm-00000${number}`;
const made = new Map([
  [vm(1), 'error'],
  [vm(2), 'warning'],
  [vm(3), 'error'],
  [vm(4), 'warning'],
]);
const summary = (words: string) => `${words}.`;
const both = summary(
  '*2 more alerts, raised since 12:00* (severity:error, a.b): 1 error, 1 warning',
);
const faults = (...texts: string[]) => faultsOf(made, countAlerts(texts));

test('counts alerts in messages and in summaries', () => {
  expect(faults(vm(1), vm(2), both)).toEqual([]);
  expect(faults(vm(1), summary('*3 more alerts from a to b*: 2 warnings, 1 error'))).toEqual([]);
  const account = countAlerts([vm(1), vm(2), both]);
  expect([account.own.size, account.counted, account.summaries]).toEqual([2, 2, 1]);
});

test.each([
  ['a loss', [vm(1), both], '3 alerts have no message of their own, 2 are counted'],
  ['a double', [vm(1), vm(2), vm(2), both], `1 alert is shown twice: ${vm(2)}`],
  ['a loss beside a double', [vm(1), vm(1), both], `1 alert is shown twice: ${vm(1)}`],
  [
    'a loss beside one that is counted twice',
    [vm(1), vm(2), summary('*2 more alerts since a*: 2 errors')],
    '1 error alert has no message of its own, 2 are counted',
  ],
  ['an alert that nobody raised', [vm(1), vm(2), vm(9), both], `nobody raised ${vm(9)}`],
  [
    'a summary that does not add up',
    [vm(1), vm(2), summary('*5 more alerts since a*: 1 error, 1 warning')],
    'a summary says 5 and lists 2',
  ],
])('reports %s', (_, texts, expected) => {
  expect(faults(...texts)).toContain(expected);
});
