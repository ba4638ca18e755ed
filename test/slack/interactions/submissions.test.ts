import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { OpenView } from '../../../playground/slack/protocol.ts';
import type { VerificationResult } from '../../../src/slack/interactions/verified-submission.ts';
import { actions, button, input, notice, section } from '../../../src/slack/ui/blocks.ts';
import { encodeValue } from '../../../src/slack/ui/codec.ts';
import { formModal, noticeModal } from '../../../src/slack/ui/modal.ts';
import { textElement } from '../../../src/slack/ui/view-values.ts';
import { submitRaw } from '../../support/raw-request.ts';
import { type Listening, listen, opsChannelId, referenceIn } from './listening.ts';

const metadata = z.object({ channelId: z.string() });
const typed = { name: { input: 'Mallory' } };

let at: Listening;
let ana: Actor;
beforeEach(async () => {
  at = await listen();
  ana = at.person(people.ana);
});

const form = (carried: string, words = 'Who is it?') =>
  formModal({
    title: 'A form',
    callbackId: 'test.form',
    submit: 'Send',
    metadata: carried,
    blocks: [
      section(words),
      input({ blockId: 'name', label: 'Name', element: textElement({ maxLength: 50 }) }),
    ],
  });

async function openForm(carried = encodeValue({ channelId: opsChannelId })): Promise<OpenView> {
  at.listeners.command('/belay', async ({ slack, triggerId }) => {
    await slack.views.open({ trigger_id: triggerId, view: form(carried) });
    return undefined;
  });
  await ana.send('ops', '/belay form');
  return ana.seeDialog('A form');
}

describe('a form', () => {
  it('closes immediately, and answers in the conversation where it was opened', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    at.listeners.submission('test.form', {
      metadata,
      run: async ({ values }) => {
        await work;
        return notice(`Hello ${values.text('name')}.`);
      },
    });
    const view = await openForm();
    expect(await ana.submit(view, typed)).toEqual({ result: 'ok' });
    expect(ana.snapshot().views).toEqual([]);
    finish();
    expect(await ana.seeMessage('Hello Mallory.')).toMatchObject({
      channelId: opsChannelId,
      isEphemeral: true,
    });
  });

  it('stays open with the errors of its check, and does not run', async () => {
    let runs = 0;
    at.listeners.submission('test.form', {
      metadata,
      check: (values) => (values.text('name') === 'Mallory' ? { name: 'Not her.' } : undefined),
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    await ana.submit(await openForm(), typed);
    expect((await ana.seeDialog('Not her.')).errors).toEqual({ name: 'Not her.' });
    expect(runs).toBe(0);
  });

  it('returns the typed text if its work fails', async () => {
    at.listeners.submission('test.form', {
      metadata,
      run: async () => {
        throw new Error('the inner fault');
      },
      typed: (values) => values.text('name'),
    });
    await ana.submit(await openForm(), typed);
    const answer = await ana.seeMessage('It broke.');
    expect(answer.text).toMatch(/Reference [0-9a-f]{8}[\s\S]*What you wrote:\n&gt; Mallory/);
    expect(await at.seeLogged(referenceIn(answer))).not.toContain('Mallory');
  });

  it.each(['', 'nonsense', '{}'])('with metadata %j is answered as outdated', async (carried) => {
    let runs = 0;
    at.listeners.submission('test.form', {
      metadata,
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    await ana.submit(await openForm(carried), typed);
    const answer = await ana.seeMessage('from another version of Belay. Nothing was changed.');
    expect(answer.channelId).not.toBe(opsChannelId);
    expect(runs).toBe(0);
  });

  it('is bound to the workspace that it was opened in', async () => {
    let runs = 0;
    at.listeners.submission('test.form', {
      metadata,
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    const carried = encodeValue({ channelId: opsChannelId, team: 'T0OTHER001' });
    await ana.submit(await openForm(carried), typed);
    await ana.seeMessage('This form was opened in another workspace. Nothing was changed.');
    expect(runs).toBe(0);
  });

  it('opens in a modal whose buttons are bound to the workspace too', async () => {
    let runs = 0;
    at.listeners.action('test.button', z.string(), async () => {
      runs += 1;
      return undefined;
    });
    at.listeners.command('/belay', async ({ slack, triggerId }) => {
      const shown = button({ text: 'Press', actionId: 'test.button', value: '"x"' });
      const view = noticeModal('A form', [actions([shown])]);
      const carried = encodeValue({ team: 'T0OTHER001' });
      const bound = { ...view, private_metadata: carried };
      await slack.views.open({ trigger_id: triggerId, view: bound });
      return undefined;
    });
    await ana.send('ops', '/belay form');
    await ana.press(await ana.seeDialog('A form'), 'Press');
    await ana.seeDialog('This form was opened in another workspace. Nothing was changed.');
    expect(runs).toBe(0);
  });

  it('is denied to guests', async () => {
    at.listeners.submission('test.form', { metadata, run: async () => notice('Hello.') });
    const view = await openForm();
    at.slack.setPerson(people.ana, { isGuest: true });
    await ana.submit(view, typed);
    await ana.seeMessage("Guests of this workspace can't use");
  });
});

describe('a form with asynchronous verification', () => {
  const done = noticeModal('A form', [section('It is saved.')]);
  const refused = {
    errors: { name: 'Unknown here.' },
    retry: form(encodeValue({ channelId: opsChannelId }), 'Nobody is called so.'),
  };

  function register(verify: () => Promise<VerificationResult>): void {
    at.listeners.verifiedSubmission('test.form', {
      metadata,
      verify,
      pending: noticeModal('A form', [section('Checking…')]),
    });
  }

  it('is answered with a modal that is bound to the workspace', async () => {
    register(async () => ({ done }));
    const { slack, workspace } = at;
    const submission = { slackUserId: people.ana, form: await openForm(), state: {} };
    const { body } = await submitRaw({ slack, workspace }, submission);
    const view = z.object({ private_metadata: z.string() });
    const answer = z.object({ view }).parse(JSON.parse(body));
    expect(JSON.parse(answer.view.private_metadata)).toEqual({ team: workspace.teamId });
  });

  it('shows the error at the field if the result is early', async () => {
    register(async () => refused);
    await ana.submit(await openForm(), typed);
    expect((await ana.seeDialog('Unknown here.')).errors).toEqual({ name: 'Unknown here.' });
  });

  it.each([
    { result: { done }, words: 'It is saved.' },
    { result: refused, words: 'Nobody is called so.' },
  ])('shows progress if the result is late, then $words', async (late) => {
    const { promise, resolve } = Promise.withResolvers<VerificationResult>();
    register(() => promise);
    expect(await ana.submit(await openForm(), typed)).toEqual({ result: 'ok' });
    await ana.seeDialog('Checking…');
    resolve(late.result);
    await ana.seeDialog(late.words);
  });

  it('shows progress if the bot token is late, then the result', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    register(async () => ({ done }));
    const opened = await openForm();
    at.delayToken(promise);
    expect(await ana.submit(opened, typed)).toEqual({ result: 'ok' });
    await ana.seeDialog('Checking…');
    resolve();
    await ana.seeDialog('It is saved.');
  });

  it.each([
    { result: { done }, words: 'It is saved.' },
    { result: refused, words: 'Unknown here.' },
  ])('posts $words in the conversation if the modal was closed meanwhile', async (late) => {
    const { promise, resolve } = Promise.withResolvers<VerificationResult>();
    register(() => promise);
    await ana.submit(await openForm(), typed);
    await ana.close(await ana.seeDialog('Checking…'));
    resolve(late.result);
    expect(await ana.seeMessage(late.words)).toMatchObject({ isEphemeral: true });
    expect(at.logged.join()).not.toContain('a listener failed');
  });

  it("posts the error if the modal can't show the result", async () => {
    const { promise, resolve } = Promise.withResolvers<VerificationResult>();
    register(() => promise);
    await ana.submit(await openForm(), typed);
    await ana.seeDialog('Checking…');
    resolve({ done: noticeModal('A form', [section('')]) });
    await at.seeLogged(referenceIn(await ana.seeMessage('It broke.')));
  });

  it('shows in the modal that verification failed, with a reference', async () => {
    register(async () => {
      throw new Error('the inner fault');
    });
    await ana.submit(await openForm(), typed);
    await at.seeLogged(referenceIn(await ana.seeDialog('It broke.')));
  });
});
