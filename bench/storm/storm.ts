import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { setUpBelay } from '../../playground/set-up-belay.ts';
import { atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { median } from '../statistics.ts';
import { openStage } from './open-stage.ts';
import { commandCount, commandsChannel, runStorm, say } from './run-storm.ts';
import { timeCommands } from './time-commands.ts';

/** Belay answers at most 60 commands of one person in a minute. */
const baselineMs = amount(140_000, 5000);

/** Checks that 10,000 new alerts a minute are each shown once, and measures memory and commands. */
export async function chaosStorm({ minutes, oauth }: { minutes: number; oauth: boolean }) {
  const stage = await openStage({ oauth });
  try {
    const { slack, service, watchedId } = stage;
    await setUpBelay(slack, service);
    const [ana, cleo] = [actAs(slack, people.ana), actAs(slack, people.cleo)];
    const time = (count: number, forMs: number) =>
      timeCommands(slack, ana, { channel: commandsChannel, count, forMs });
    say('Commands without a storm.');
    await time(10, 5000);
    const baseline = median(await time(commandCount, baselineMs));

    await cleo.send('random', '/belay watch all');
    await cleo.seeMessage('Watch added.');
    const storm = await runStorm(stage, { minutes, channelIds: [watchedId] });
    const tokens = checkTokens(slack);
    const aims = [
      atMost(
        'Memory in the last minute, compared with the first',
        storm.lastMinute / storm.firstMinute,
        1.2,
        '×',
      ),
      atMost('Time to answer, compared with no storm', storm.commandMs / baseline, 1.5, '×'),
    ];
    return {
      ...tokens.figures,
      program: 'storm',
      minutes,
      ...storm.figures,
      quietMedianMs: Math.round(baseline),
      stormMedianMs: Math.round(storm.commandMs),
      aims,
      violations: [...tokens.violations, ...storm.violations],
    };
  } finally {
    await stage.stop();
  }
}
