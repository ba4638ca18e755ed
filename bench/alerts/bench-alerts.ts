import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { atMost } from '../aims.ts';
import { startChild } from '../child.ts';
import { amount, count, readOptions } from '../read-options.ts';
import { createBelayEnvironment } from '../slack-load/belay-environment.ts';
import { compareRounds } from '../slack-load/compare.ts';
import { startBolt } from '../slack-load/start-bolt.ts';
import { startSlack } from '../slack-load/start-slack.ts';
import { startBelay } from '../start/start-belay.ts';
import { pathsOrder, requestedPaths, serviceReady } from './messages.ts';

const typed = '/belay alerts';
/** Part of the buttons of the list. */
const expected = 'Refresh';
/** The largest that the configuration accepts: Belay never waits before a call. */
const requestsPerSecond = 10_000;
/** As many rounds before the first one that counts, for V8 to compile. */
const warmUps = amount(3, 1);

/**
 * `/belay alerts`, one after the other, with connections open and caches filled: Belay, and bare Bolt
 * with the same calls to the service on undici in the same order, and the same answer. Both take the
 * same path through Slack, so the difference is what Belay does around the calls.
 */
export async function benchAlerts() {
  const { rounds, commands } = readOptions({
    rounds: count(1).default(amount(9, 1)),
    commands: count(1).default(amount(50, 5)),
  });

  const service = await startService();
  const slack = await startSlack(commands * (rounds + warmUps) + 1);
  const { env, folder, database, remove } = await createBelayEnvironment(slack);
  const configPath = join(folder, 'belay.yml');
  const { id, label, baseUrl, dialect, token } = service;
  const region = { id, label, portal: `${id}.portal.example`, baseUrl, dialect };
  await writeFile(configPath, stringify({ regions: [{ ...region, requestsPerSecond }] }));
  const belay = await startBelay({ ...env, BELAY_CONFIG: configPath });
  const send = (requestUrl: string, count = commands) =>
    slack.sendLoad({ typed, expected, count, atOnce: 1, requestUrl });
  try {
    await slack.setUp({ requestUrl: belay.requestUrl, portalId: id, token });
    await send(belay.requestUrl, commands * warmUps);
    await service.takePaths();
    const { answer } = await send(belay.requestUrl, 1);
    const paths = await service.takePaths();
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/api.service.*=v1+json',
    };
    const bolt = await startBolt(slack, { answer, service: { baseUrl, headers, paths } });
    const sendChecked = async (requestUrl: string, count = commands) => {
      const result = await send(requestUrl, count);
      const { length } = await service.takePaths();
      if (length !== paths.length * count) throw new Error(`${length} calls to the service`);
      return result;
    };
    await sendChecked(bolt.requestUrl, commands * warmUps);
    const { tables, ratio } = await compareRounds(
      [
        { name: 'Belay', usedMs: belay.usedMs, run: () => sendChecked(belay.requestUrl) },
        { name: 'Bolt and undici', usedMs: bolt.usedMs, run: () => sendChecked(bolt.requestUrl) },
      ],
      rounds,
    );
    bolt.stop();
    return {
      bench: 'alerts',
      rounds,
      commands,
      callsPerCommand: paths.length,
      database,
      aims: [
        atMost(
          'Time to answer, p50, compared with the same calls by hand',
          ratio('answerP50'),
          1.25,
          '×',
        ),
      ],
      tables,
    };
  } finally {
    await belay.stop();
    slack.stop();
    service.stop();
    await remove();
  }
}

async function startService() {
  const child = startChild(new URL('service-process.ts', import.meta.url));
  return {
    ...serviceReady.parse(await child.next()),
    async takePaths(): Promise<string[]> {
      child.send(pathsOrder.value);
      return requestedPaths.parse(await child.next());
    },
    stop: child.stop,
  };
}
