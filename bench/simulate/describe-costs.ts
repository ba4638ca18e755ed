import { timings } from '../../src/postings/outbox/timings.ts';
import { environment, workload } from './assumptions.ts';
import { workspacesPerOrganization } from './find-limits.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { fullRates } from './model/rates.ts';
import { toTable } from './write-docs.ts';

const names = {
  poll: 'A poll that finds nothing new',
  digest: 'A digest, with its message',
  command: 'A command (`/belay alerts`)',
  decision: 'A request, its approval and the change',
  alertStored: 'A new alert in a storm, with its messages',
  alertChanged: 'An alert that changes, with its messages',
  idleReplicaSecond: 'A process without work, for a second',
  idleWorkspaceMinute: 'A workspace without work, for a minute',
} as const;

/** What the benchmarks measured. */
export function costTable(costs: MeasuredCosts): string {
  const keys = Object.keys(names).filter((key): key is keyof typeof names => key in names);
  return toTable(
    ['', 'Statements', 'Belay, processor time (ms)', 'PostgreSQL, processor time (ms)'],
    keys.map((key) => {
      const { statements, belayMs, postgresMs } = costs[key];
      return [names[key], ...[statements, belayMs, postgresMs].map(shown)];
    }),
  );
}

/** The limits of one channel, one organization or one process, however many workspaces there are. */
export function othersTable(costs: MeasuredCosts): string {
  const rates = fullRates(costs, environment);
  const { messagesPerStorm, storms } = workload;
  const stormSeconds = (messagesPerStorm * timings.betweenMessagesMs) / 1000;
  return toTable(
    ['Limit', 'Value'],
    [
      ['Polls a second, one process', shown(rates.polls)],
      ['Digests a second, one process', shown(rates.digests)],
      [
        'Workspaces that can share one organization of the service',
        workspacesPerOrganization(costs).toLocaleString('en-US'),
      ],
      [
        `Seconds until a storm of ${storms.alerts} alerts is shown in a channel, at one message a second`,
        shown(stormSeconds),
      ],
    ],
  );
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
