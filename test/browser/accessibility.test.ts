import type { KnownBlock, ModalView } from '@slack/types';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isMessageBlocks } from '../../playground/slack/validate/message.ts';
import { isModal } from '../../playground/slack/validate/view.ts';
import { fitMessage } from '../../src/slack/ui/fit-message.ts';
import { everyView } from '../features/every-view.ts';
import { hostileSamples } from '../features/samples.ts';
import { testTimeoutMs } from '../support/patience.ts';
import { sample } from '../support/sampling.ts';
import { dialog, expectNothingSideways, messageBox, shoot } from './seen.ts';
import { createStage, type Stage } from './stage.ts';
import { addChecker, violationsIn } from './violations.ts';

const ACK_TIMEOUT_MS = 30_000;
/** Checking every view of Belay takes minutes on a busy machine. */
const timeout = 3 * testTimeoutMs;
const CHANNEL = 'C0OPS00001';
const messageSchema = z.object({
  text: z.string(),
  blocks: z.custom<KnownBlock[]>(isMessageBlocks),
});

const views = Object.entries(everyView(hostileSamples('Kim Lee')));
const messages = views.flatMap(([name, shown]) =>
  shown.flatMap((view) => {
    const parsed = messageSchema.safeParse(view);
    return parsed.success ? [{ ...parsed.data, name }] : [];
  }),
);
const modals = views.flatMap(([name, shown]) =>
  shown.filter(isModal).map((view) => ({ name, view })),
);

let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await createStage(ACK_TIMEOUT_MS);
  page = await stage.open('ana', { width: 375, height: 667 });
  await addChecker(page);
});

afterAll(async () => {
  await stage?.close();
});

test('there are messages and modals to look at', () => {
  expect(messages.length).toBeGreaterThan(50);
  expect(modals.length).toBeGreaterThan(15);
});

const colorSchemes = ['light', 'dark'] as const;

// First, because the check takes longer the more there is behind a modal.
test('the modals are accessible and fit a phone, in light and dark colors', {
  timeout,
}, async () => {
  await messageBox(page).fill('/belay request');
  await messageBox(page).press('Enter');
  await dialog(page, 'Request a change').waitFor();
  const { result } = stage.slack.calls.findLast(({ method }) => method === 'views.open') ?? {};
  const view_id = z.object({ view: z.object({ id: z.string() }) }).parse(result).view.id;
  for (const [index, { name, view }] of sample(modals, 5).entries()) {
    const title = { type: 'plain_text' as const, text: `View ${index}` };
    const shown: ModalView = { ...view, title };
    await stage.client.views.update({ view_id, view: shown });
    await dialog(page, title.text).waitFor();
    await expectNothingSideways(page);
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsIn(page, 'dialog'), `${name}, ${colorScheme}`).toEqual([]);
    }
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('the messages are accessible and fit a phone, in light and dark colors', {
  timeout,
}, async () => {
  for (const one of sample(messages, 12)) {
    await stage.client.chat.postMessage({ channel: CHANNEL, ...fitMessage(one) });
  }
  await stage.client.chat.postMessage({ channel: CHANNEL, text: 'The last message' });
  await page.getByRole('article', { name: 'The last message' }).waitFor();
  await expectNothingSideways(page);
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsIn(page, '.workspace'), colorScheme).toEqual([]);
    await shoot(page, `accessibility-${colorScheme}`);
  }
});

test('no page had an error or sent a request to another host', () => {
  expect(stage.faults).toEqual([]);
});
