import { setTimeout } from 'node:timers/promises';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { startPlayground } from '../../playground/start-playground.ts';
import { createPage } from '../../playground/web/serve-page.ts';
import { createLogger } from '../../src/logger.ts';
import { launchChromium } from '../../test/support/browser.ts';
import { atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { median } from '../statistics.ts';
import { fillChannel } from './fill-channel.ts';
import { timeUntilDrawn } from './time-until-drawn.ts';

const rounds = amount(15, 1);
/** Between rounds, so that no request waits for Belay's limit of requests to the service. */
const pauseMs = 1000;
const messageCounts = [0, amount(500, 50)];
const maxAnswerMs = 150;
const maxAlertsMs = 250;

/**
 * What a person waits for in the page, in an empty channel and in a long one: from the arrival of an
 * answer at the local Slack until it is drawn, and from Enter after `/belay alerts` to its first page.
 * The browser, Belay and the service share the machine, so the figures include all their work.
 */
export async function benchPage() {
  const browser = await launchChromium();
  const playground = await startPlayground({
    page: await createPage({ openAs: people.ana }),
    log: createLogger('error'),
  });
  const { slack, workspace } = playground;
  try {
    const page = await browser.newPage();
    const box = page.getByRole('textbox', { name: 'Message #ops' });
    await page.goto(`${slack.url}/?as=${people.ana}#ops`);
    await box.waitFor();
    const ana = actAs(slack, people.ana);
    const answer = async () => {
      const drawn = await timeUntilDrawn(page, 'Answer');
      const arrivedAt = Date.now();
      await fillChannel({ slack, workspace, samples: [{ text: 'Answer' }], count: 1 });
      return (await drawn()).drawnAt - arrivedAt;
    };
    const alerts = async () => {
      await box.fill('/belay alerts');
      const drawn = await timeUntilDrawn(page, 'Active alerts');
      await box.press('Enter');
      const { enteredAt, drawnAt } = await drawn();
      return drawnAt - enteredAt;
    };
    // Warm-up: compilation and connections. Its answers are the messages of the long channel.
    for (const command of ['alerts', 'compliance', 'users ana', 'help']) {
      await ana.send('ops', `/belay ${command}`);
    }
    await alerts();
    const samples = ana.snapshot().conversations.flatMap(({ messages }) => messages);

    const runs = [];
    for (const count of messageCounts) {
      await fillChannel({ slack, workspace, samples, count });
      await page.reload();
      await box.waitFor();
      await answer();
      const run = {
        messages: count,
        answerMs: median(await repeat(answer)),
        alertsMs: median(await repeat(alerts)),
      };
      print(
        `${count} messages: an answer is drawn ${run.answerMs} ms after its arrival, the first page of \`/belay alerts\` ${run.alertsMs} ms after Enter (medians of ${rounds})`,
      );
      runs.push(run);
    }
    const aims = runs.flatMap(({ messages, answerMs, alertsMs }) => [
      atMost(`Drawing an answer among ${messages} messages`, answerMs, maxAnswerMs, 'ms'),
      atMost(`\`/belay alerts\` among ${messages} messages`, alertsMs, maxAlertsMs, 'ms'),
    ]);
    return { bench: 'page', rounds, runs, aims };
  } finally {
    await browser.close();
    await playground.stop();
  }
}

/** One after the other, because each measures how long the page is busy. */
async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await measure());
    await setTimeout(pauseMs);
  }
  return times;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
