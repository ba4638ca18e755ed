import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { setUpBelay } from '../../playground/set-up-belay.ts';
import { atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { median } from '../statistics.ts';
import { countAlerts, faultsOf } from './count-alerts.ts';
import { makeAlerts } from './make-alerts.ts';
import { openStage } from './open-stage.ts';
import { timeCommands } from './time-commands.ts';

const perMinute = 10_000;
const commandCount = amount(110, 10);
/** Belay answers at most 60 commands of one person in a minute. */
const baselineMs = amount(140_000, 5000);
/** Time for a last poll and the last update of the summaries. */
const settleMs = 180_000;
const megabyte = 1024 * 1024;

/** Checks that 10,000 new alerts a minute are each shown once, and measures memory and commands. */
export async function chaosStorm({ minutes, oauth }: { minutes: number; oauth: boolean }) {
  const stage = await openStage({ oauth });
  try {
    const { slack, service, portal, belay, watchedId } = stage;
    await setUpBelay(slack, service);
    const [ana, cleo] = [actAs(slack, people.ana), actAs(slack, people.cleo)];
    const time = (count: number, forMs: number) =>
      timeCommands(slack, ana, { channel: 'ops', count, forMs });
    say('Commands without a storm.');
    await time(10, 5000);
    const baseline = median(await time(commandCount, baselineMs));

    await cleo.send('random', '/belay watch all');
    await cleo.seeMessage('Watch added.');
    say(`The storm: ${perMinute} alerts a minute for ${minutes} min.`);
    belay.resetSizes();
    const forMs = minutes * 60_000;
    const [made, times] = await Promise.all([
      makeAlerts(service, { portalId: portal.id, perMinute, forMs }),
      time(Math.min(commandCount, 50 * minutes), forMs),
    ]);
    const sizes = [...belay.sizes];
    say('Waiting until every alert is shown.');
    let account = countAlerts([]);
    await waitFor(
      () => {
        const channel = ana.snapshot().conversations.find((one) => one.channelId === watchedId);
        account = countAlerts(channel?.messages.map(({ text }) => text) ?? []);
        return account.own.size + account.counted >= made.size;
      },
      { forMs: settleMs, everyMs: 1000 },
    );

    const { written, maxPerSecond } = slack.messageRateOf(watchedId);
    // The maximum of a minute, so that the garbage collector does not matter.
    const firstMinute = Math.max(...sizes.slice(0, 60));
    const lastMinute = Math.max(...sizes.slice(-60));
    const storm = median(times);
    const tokens = checkTokens(slack);
    const figures = {
      ...tokens.figures,
      program: 'storm',
      minutes,
      alerts: made.size,
      own: account.own.size,
      counted: account.counted,
      summaries: account.summaries,
      written,
      maxPerSecond,
      residentFirstMinuteMb: Math.round(firstMinute / megabyte),
      residentLastMinuteMb: Math.round(lastMinute / megabyte),
      commands: times.length,
      quietMedianMs: Math.round(baseline),
      stormMedianMs: Math.round(storm),
    };
    const violations = [
      ...tokens.violations,
      ...faultsOf(made, account),
      ...(maxPerSecond > 1 ? [`${maxPerSecond} messages within a second in one channel`] : []),
    ];
    const aims = [
      atMost(
        'Memory in the last minute, compared with the first',
        lastMinute / firstMinute,
        1.2,
        '×',
      ),
      atMost('Time to answer, compared with no storm', storm / baseline, 1.5, '×'),
    ];
    return { ...figures, aims, violations };
  } finally {
    await stage.stop();
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
