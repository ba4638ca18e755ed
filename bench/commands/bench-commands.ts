import { atLeast, atMost } from '../aims.ts';
import { amount, count, readOptions } from '../read-options.ts';
import { createBelayEnvironment } from '../slack-load/belay-environment.ts';
import { compareRounds } from '../slack-load/compare.ts';
import { startBolt } from '../slack-load/start-bolt.ts';
import { startSlack } from '../slack-load/start-slack.ts';
import { startBelay } from '../start/start-belay.ts';

const typed = '/belay help';
/** Part of the list that help shows. */
const expected = '/belay alerts';
/** As many rounds before the first one that counts: V8 compiles for about five thousand commands. */
const warmUps = amount(2, 1);

/**
 * `/belay help`, from many people and several at once, answered by Belay and by bare Bolt, which makes
 * the same calls and posts the same message. They take turns; the local Slack that sends the commands
 * and gets the answers is a process of its own.
 */
export async function benchCommands() {
  const {
    rounds,
    commands,
    'at-once': atOnce,
  } = readOptions({
    rounds: count(1).default(amount(9, 1)),
    commands: count(100).default(amount(3000, 100)),
    'at-once': count(1).default(10),
  });

  const slack = await startSlack(commands * (rounds + warmUps));
  const { env, database, remove } = await createBelayEnvironment(slack);
  const belay = await startBelay(env);
  const load = { typed, expected, count: commands, atOnce };
  try {
    const warm = { ...load, count: commands * warmUps };
    const { answer } = await slack.sendLoad({ ...warm, requestUrl: belay.requestUrl });
    const bolt = await startBolt(slack, { answer });
    await slack.sendLoad({ ...warm, requestUrl: bolt.requestUrl });
    const { tables, ratio } = await compareRounds(
      [
        {
          name: 'Belay',
          usedMs: belay.usedMs,
          run: () => slack.sendLoad({ ...load, requestUrl: belay.requestUrl }),
        },
        {
          name: 'Bolt',
          usedMs: bolt.usedMs,
          run: () => slack.sendLoad({ ...load, requestUrl: bolt.requestUrl }),
        },
      ],
      rounds,
    );
    bolt.stop();
    return {
      bench: 'commands',
      rounds,
      commands,
      atOnce,
      database,
      aims: [
        atLeast('Commands per second, compared with bare Bolt', ratio('perSecond'), 0.9, '×'),
        atMost('Time to answer, p99, compared with bare Bolt', ratio('answerP99'), 1.2, '×'),
      ],
      tables,
    };
  } finally {
    await belay.stop();
    slack.stop();
    await remove();
  }
}
