import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Alert } from '../../playground/service/resources.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { median } from '../statistics.ts';
import { countAlerts, faultsOf } from './count-alerts.ts';
import { makeAlerts } from './make-alerts.ts';
import type { StormStage } from './open-stage.ts';
import { timeCommands } from './time-commands.ts';

const perMinute = 10_000;
export const commandCount = amount(110, 10);
export const commandsChannel = 'ops';
/** Time for a last poll and the last update of the summaries. */
const settleMs = 180_000;
const megabyte = 1024 * 1024;

type Options = {
  minutes: number;
  channelIds: string[];
  /** Alerts that were there before, and are raised again. */
  older?: readonly Alert[];
  /** Whether a channel shows this alert, by its name and severity. */
  isShown?: (name: string, severity: string) => boolean;
};

/** Raises alerts while a person sends commands, and waits until every channel that watches shows them. */
export async function runStorm(
  { slack, service, portal, belay }: StormStage,
  { minutes, channelIds, older = [], isShown = () => true }: Options,
) {
  const ana = actAs(slack, people.ana);
  say(`The storm: ${perMinute} alerts a minute for ${minutes} min.`);
  belay.resetSizes();
  const forMs = minutes * 60_000;
  const count = Math.min(commandCount, 50 * minutes);
  const [made, times] = await Promise.all([
    makeAlerts(service, { portalId: portal.id, perMinute, forMs, older }),
    timeCommands(slack, ana, { channel: commandsChannel, count, forMs }),
  ]);
  const sizes = [...belay.sizes];
  const endedAt = performance.now();
  say('Waiting until every alert is shown.');
  const shown = new Map([...made].filter(([name, severity]) => isShown(name, severity)));
  let accounts = channelIds.map(() => countAlerts([]));
  await waitFor(
    () => {
      const { conversations } = ana.snapshot();
      accounts = channelIds.map((channelId) => {
        const channel = conversations.find((one) => one.channelId === channelId);
        return countAlerts(channel?.messages.map(({ text }) => text) ?? []);
      });
      return accounts.every(({ own, counted }) => own.size + counted >= shown.size);
    },
    { forMs: settleMs, everyMs: 1000 },
  );
  const shownMs = performance.now() - endedAt;
  const rates = channelIds.map((channelId) => slack.messageRateOf(channelId));
  const maxPerSecond = Math.max(...rates.map((rate) => rate.maxPerSecond));
  // The maximum of a minute, so that the garbage collector does not matter.
  const firstMinute = Math.max(...sizes.slice(0, 60));
  const lastMinute = Math.max(...sizes.slice(-60));
  return {
    made,
    commandMs: median(times),
    firstMinute,
    lastMinute,
    figures: {
      alerts: made.size,
      own: sum(accounts.map(({ own }) => own.size)),
      counted: sum(accounts.map(({ counted }) => counted)),
      summaries: sum(accounts.map(({ summaries }) => summaries)),
      written: sum(rates.map(({ written }) => written)),
      maxPerSecond,
      shownAfterSeconds: Math.round(shownMs / 1000),
      residentFirstMinuteMb: Math.round(firstMinute / megabyte),
      residentLastMinuteMb: Math.round(lastMinute / megabyte),
      commands: times.length,
    },
    violations: [
      ...accounts.flatMap((account) => faultsOf(shown, account)),
      ...(maxPerSecond > 1 ? [`${maxPerSecond} messages within a second in one channel`] : []),
    ],
  };
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
