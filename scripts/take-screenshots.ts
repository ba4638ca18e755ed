/** Makes the pictures of README.md from the page of the playground: `npm run -s screenshots`. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Actor, actAs } from '../playground/act-as.ts';
import { people } from '../playground/people.ts';
import type { FormValues, OpenView } from '../playground/slack/protocol.ts';
import { type Playground, startPlayground } from '../playground/start-playground.ts';
import { createPage } from '../playground/web/serve-page.ts';
import { createLogger } from '../src/logger.ts';
import { launchChromium } from '../test/support/browser.ts';

const folder = join(import.meta.dirname, '../docs');
const sizes = { desktop: { width: 1000, height: 720 }, phone: { width: 375, height: 667 } };
const minuteMs = 60_000;

type Scene = {
  ana: Actor;
  ben: Actor;
  playground: Playground;
  /** Moves the clock of Belay, Slack and the service on. They refuse gestures after 5 minutes of it. */
  moveClock: (byMs: number) => void;
};

const scenes: Record<string, { as: string; play: (scene: Scene) => Promise<void> }> = {
  screenshot: { as: people.ben, play: playRequests },
  'screenshot-watch': { as: people.ana, play: playWatch },
  'screenshot-digest': { as: people.ana, play: playDigest },
};

const page = await createPage({ openAs: people.ana });
const browser = await launchChromium();
for (const [name, { as, play }] of Object.entries(scenes)) {
  let aheadMs = 0;
  const clock = () => new Date(Date.now() + aheadMs);
  const log = createLogger('error');
  const playground = await startPlayground({ page, log, clock, service: { clock } });
  const { slack } = playground;
  const [ana, ben] = [actAs(slack, people.ana), actAs(slack, people.ben)];
  const moveClock = (byMs: number) => {
    aheadMs += byMs;
  };
  await play({ ana, ben, playground, moveClock });
  for (const [sizeName, viewport] of Object.entries(sizes)) {
    const context = await browser.newContext({ viewport, colorScheme: 'light' });
    await context.clock.setFixedTime(clock());
    const shown = await context.newPage();
    await shown.goto(`${slack.url}/?as=${as}#ops`);
    await shown.getByRole('article').first().waitFor();
    for (const folded of await shown.getByRole('button', { name: /^\d+ repl/ }).all()) {
      await folded.click();
    }
    await takePicture(shown, sizeName === 'desktop' ? name : `${name}-${sizeName}`);
    await context.close();
  }
  await playground.stop();
}
await browser.close();
process.exit(0);

/** Of the newest messages, without the cursor in the message box. */
async function takePicture(shown: Page, name: string): Promise<void> {
  await shown.getByRole('article').first().waitFor();
  // A message that is too long for the picture is shown from its start.
  await shown
    .getByRole('article')
    .last()
    .evaluate((article) => {
      if (article.clientHeight > innerHeight / 2) article.scrollIntoView({ block: 'start' });
    });
  await shown.screenshot({ path: join(folder, `${name}.png`) });
  process.stdout.write(`docs/${name}.png\n`);
}

/** Submits the form that the command opens. */
async function submitForm(person: Actor, command: string, values: FormValues): Promise<void> {
  await person.send('ops', command);
  const form = await person.see(({ views }) => views.find(({ submit }) => submit), 'a form');
  await person.submit(form, values);
}

/** One request that was approved and one that waits. */
async function playRequests({ ana, ben }: Scene): Promise<void> {
  await ana.send('ops', "Friday was Kim Lee's last day. Ben, can you decide on my request?");
  const ask = (user: string, reason: string) =>
    submitForm(ana, `/belay disable ${user}`, { reason: { input: reason } });
  await ask('kim.lee@example.com', 'Left the company on Friday');
  await ben.press(await ben.seeMessage('Left the company on Friday'), 'Approve');
  await ben.seeMessage(/Kim Lee[^"]* is disabled/);
  await ana.send('ops', 'Joana is on leave until May, so I asked to disable her as well.');
  await ask('joana.prado@example.com', 'On leave until May');
  await ben.seeMessage('On leave until May');
}

/** An alert that is raised again and cleared. */
async function playWatch({ ana, playground, moveClock }: Scene): Promise<void> {
  await ana.send('ops', '/belay watch all');
  await seePublic(ana, 1);
  const changes = [{ change: 'raise', count: 1 }, { change: 'raise-again' }, { change: 'clear' }];
  for (const change of changes) {
    await fetch(`${playground.slack.url}/playground/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    const before = JSON.stringify(ana.snapshot().conversations[0]?.messages);
    moveClock(minuteMs);
    await ana.see(({ conversations: [ops] }) => {
      return JSON.stringify(ops?.messages) === before ? undefined : ops;
    }, `the alert after ${change.change}`);
  }
  await ana.see(
    ({ conversations: [ops] }) => ops?.messages.find(({ threadTs }) => threadTs),
    'the reply that it was cleared',
  );
}

/** A digest that is due two minutes after it was created. */
async function playDigest({ ana, moveClock }: Scene): Promise<void> {
  const timeZone = 'Europe/Lisbon';
  const dueAt = new Date(Date.now() + 2 * minuteMs);
  await submitForm(ana, '/belay digest new', {
    time: { input: dueAt.toLocaleTimeString('sv-SE', { timeZone, timeStyle: 'short' }) },
    weekdays: { input: ['1', '2', '3', '4', '5', '6', '7'] },
    timeZone: { input: timeZone },
  });
  const isPreview = ({ blocks }: OpenView) => blocks.every(({ type }) => type !== 'input');
  const preview = await ana.see(
    ({ views }) => views.find((view) => view.submit && isPreview(view)),
    'the preview',
  );
  await ana.submit(preview, {});
  await seePublic(ana, 1);
  moveClock(2 * minuteMs);
  await seePublic(ana, 2);
}

/** Waits until #ops has as many messages that everybody sees. */
async function seePublic(person: Actor, count: number): Promise<void> {
  await person.see(({ conversations: [ops] }) => {
    const shown = ops?.messages.filter(({ isEphemeral }) => !isEphemeral) ?? [];
    return shown.length >= count ? shown : undefined;
  }, `${count} messages for everybody`);
}
