import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { OpenView } from '../../../playground/slack/protocol.ts';
import { Refusal } from '../../../src/slack/interactions/interaction.ts';
import type { VerificationResult } from '../../../src/slack/interactions/verified-submission.ts';
import { actions, button, notice, section } from '../../../src/slack/ui/blocks.ts';
import { encodeValue } from '../../../src/slack/ui/codec.ts';
import { defineForm } from '../../../src/slack/ui/form.ts';
import { textField } from '../../../src/slack/ui/form-fields.ts';
import { noticeModal } from '../../../src/slack/ui/modal.ts';
import { escapeMrkdwn } from '../../../src/slack/ui/mrkdwn.ts';
import { submitRaw } from '../../support/raw-request.ts';
import { type Listening, listen, opsChannelId, referenceIn } from './listening.ts';

const typed = { name: { input: 'Mallory' } };

let at: Listening;
let ana: Actor;
beforeEach(async () => {
  at = await listen();
  ana = at.person(people.ana);
});

const form = defineForm('test.form', {
  metadata: z.object({ channelId: z.string() }),
  fields: { name: textField({ label: 'Name', maxLength: 50, isMultiline: true }) },
});

const requiredForm = defineForm('test.required', {
  metadata: form.metadata,
  fields: { name: textField({ label: 'Name', maxLength: 50, missing: 'Enter a name.' }) },
});

const modal = (words = 'Who is it?') =>
  form.modal({
    title: 'A form',
    submit: 'Send',
    metadata: { channelId: opsChannelId },
    blocks: [section(words), form.fields.name.block()],
  });

async function openForm(
  carried = modal().private_metadata ?? '',
  callbackId = form.id,
): Promise<OpenView> {
  at.listeners.command('/belay', async ({ slack, triggerId }) => {
    const view = { ...modal(), private_metadata: carried, callback_id: callbackId };
    await slack.views.open({ trigger_id: triggerId ?? '', view });
    return undefined;
  });
  await ana.send('ops', '/belay form');
  return ana.seeDialog('A form');
}

describe('a form', () => {
  it('closes immediately, and answers in the conversation where it was opened', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    at.listeners.form(form, {
      run: async ({ entered }) => {
        await work;
        return notice(`Hello ${entered.name}.`);
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
    at.listeners.form(form, {
      check: ({ name }) => (name === 'Mallory' ? { name: 'Not her.' } : {}),
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    await ana.submit(await openForm(), typed);
    expect((await ana.seeDialog('Not her.')).errors).toEqual({ name: 'Not her.' });
    expect(runs).toBe(0);
  });

  it('stays open with the errors of its fields', async () => {
    let runs = 0;
    at.listeners.form(requiredForm, {
      check: ({ name }) => ({ name: name === 'Mallory' ? 'Not her.' : undefined }),
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    await ana.submit(await openForm(undefined, 'test.required'), { name: { input: '  ' } });
    const refused = await ana.seeDialog('Enter a name.');
    expect(refused.errors).toEqual({ name: 'Enter a name.' });
    await ana.submit(refused, typed);
    expect((await ana.seeDialog('Not her.')).errors).toEqual({ name: 'Not her.' });
    expect(runs).toBe(0);
  });

  it('returns the typed text if its work fails', async () => {
    at.listeners.form(form, {
      run: async () => {
        throw new Error('the inner fault');
      },
    });
    await ana.submit(await openForm(), typed);
    const answer = await ana.seeMessage('It broke.');
    expect(answer.text).toMatch(/Reference [0-9a-f]{8}[\s\S]*What you wrote:\n&gt; Mallory/);
    expect(await at.seeLogged(referenceIn(answer))).not.toContain('Mallory');
  });

  it('returns all of several long texts if its work fails', async () => {
    const long = (label: string) => textField({ label, maxLength: 3000, isMultiline: true });
    const longForm = defineForm('test.long', {
      metadata: form.metadata,
      fields: { users: long('Users'), reason: long('Reason') },
    });
    const { users, reason } = longForm.fields;
    at.listeners.form(longForm, {
      run: async () => {
        throw new Error('the inner fault');
      },
    });
    at.listeners.command('/belay', async ({ slack, triggerId }) => {
      const shown = { title: 'A form', submit: 'Send', metadata: { channelId: opsChannelId } };
      const view = longForm.modal({ ...shown, blocks: [users.block(), reason.block()] });
      await slack.views.open({ trigger_id: triggerId ?? '', view });
      return undefined;
    });
    await ana.send('ops', '/belay form');
    const addresses = Array.from({ length: 130 }, (_, index) => `<p&${index}>@h.example`);
    await ana.submit(await ana.seeDialog('A form'), {
      users: { input: addresses.join(', ') },
      reason: { input: 'They left.' },
    });
    const shown = JSON.stringify((await ana.seeMessage('It broke.')).blocks);
    for (const address of addresses) expect(shown).toContain(escapeMrkdwn(address));
    expect(shown).toContain('They left.');
  });

  it.each(['', 'nonsense', '{}'])('with metadata %j is answered as outdated', async (carried) => {
    let runs = 0;
    at.listeners.form(form, {
      run: async () => {
        runs += 1;
        return undefined;
      },
    });
    await ana.submit(await openForm(carried), typed);
    const answer = await ana.seeMessage('from another version of Belay. Nothing was changed.');
    expect(answer.text).toContain('Mallory');
    expect(answer.channelId).not.toBe(opsChannelId);
    expect(runs).toBe(0);
  });

  it('is bound to the workspace that it was opened in', async () => {
    let runs = 0;
    at.listeners.form(form, {
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
      await slack.views.open({ trigger_id: triggerId ?? '', view: bound });
      return undefined;
    });
    await ana.send('ops', '/belay form');
    await ana.press(await ana.seeDialog('A form'), 'Press');
    await ana.seeDialog('This form was opened in another workspace. Nothing was changed.');
    expect(runs).toBe(0);
  });

  it.each([
    { failure: new Refusal(notice('Not for you.')), words: 'Not for you.' },
    { failure: new Error('the inner fault'), words: 'It broke.' },
  ])('shows $words in place of what it shows meanwhile', async ({ failure, words }) => {
    at.listeners.form(form, {
      pending: () => noticeModal('A form', 'Checking…'),
      run: async () => {
        throw failure;
      },
    });
    await ana.submit(await openForm(), typed);
    expect(JSON.stringify((await ana.seeDialog(words)).blocks)).not.toContain('Checking…');
  });

  it('sends a failure to a person who has closed what it shows meanwhile', async () => {
    const { promise: work, resolve: finish } = Promise.withResolvers<void>();
    at.listeners.form(form, {
      pending: () => noticeModal('A form', 'Checking…'),
      run: async () => {
        await work;
        throw new Refusal(notice('Not for you.'));
      },
    });
    await ana.submit(await openForm(), typed);
    await ana.close(await ana.seeDialog('Checking…'));
    finish();
    await ana.seeMessage('Not for you.');
  });

  it('shows in place of what it shows meanwhile that a guest is refused', async () => {
    const pending = () => noticeModal('A form', 'Checking…');
    at.listeners.form(form, { pending, run: async () => notice('Hello.') });
    const view = await openForm();
    at.slack.setPerson(people.ana, { isGuest: true });
    await ana.submit(view, typed);
    await ana.seeDialog("Guests of this workspace can't use");
  });

  it('is denied to guests', async () => {
    at.listeners.form(form, { run: async () => notice('Hello.') });
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
    retry: modal('Nobody is called so.'),
  };

  function register(verify: () => Promise<VerificationResult>): void {
    at.listeners.form(form, {
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
    { result: refused, words: '*Name*: Unknown here.' },
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

  it('checks its fields before it verifies them, and the person before both', async () => {
    let runs = 0;
    at.listeners.form(requiredForm, {
      verify: async () => {
        runs += 1;
        return { done };
      },
      pending: noticeModal('A form', [section('Checking…')]),
    });
    const blank = { name: { input: '  ' } };
    await ana.submit(await openForm(undefined, 'test.required'), blank);
    expect((await ana.seeDialog('Enter a name.')).errors).toEqual({ name: 'Enter a name.' });
    at.slack.setPerson(people.ana, { isGuest: true });
    await ana.submit(await ana.seeDialog('Enter a name.'), blank);
    await ana.seeDialog("Guests of this workspace can't use");
    expect(runs).toBe(0);
  });

  it('stays open if verification fails, with a reference', async () => {
    register(async () => {
      throw new Error('the inner fault');
    });
    const view = await openForm();
    await ana.submit(view, typed);
    const failed = await ana.seeDialog('It broke.');
    expect(failed.viewId).toBe(view.viewId);
    expect(failed.errors).toEqual({ name: expect.stringContaining('It broke.') });
    await at.seeLogged(referenceIn(failed));
  });

  it('stays open if the person is refused', async () => {
    register(async () => ({ done }));
    const view = await openForm();
    at.slack.setPerson(people.ana, { isGuest: true });
    await ana.submit(view, typed);
    const refused = await ana.seeDialog("Guests of this workspace can't use");
    expect(refused.errors).toEqual({ name: expect.stringContaining('Nothing was changed.') });
  });

  it('without fields is replaced with its failure', async () => {
    const bare = defineForm('test.bare', { metadata: form.metadata, fields: {} });
    at.listeners.form(bare, {
      pending: noticeModal('A form', 'Checking…'),
      verify: async () => {
        throw new Refusal(notice('Not for *you*.'));
      },
    });
    at.listeners.command('/belay', async ({ slack, triggerId }) => {
      const shown = { title: 'A form', submit: 'Send', metadata: { channelId: opsChannelId } };
      const view = bare.modal({ ...shown, blocks: [section('Sure?')] });
      await slack.views.open({ trigger_id: triggerId ?? '', view });
      return undefined;
    });
    await ana.send('ops', '/belay form');
    await ana.submit(await ana.seeDialog('Sure?'), {});
    expect((await ana.seeDialog('Not for *you*.')).errors).toEqual({});
  });

  it('returns the typed text if verification fails late', async () => {
    const { promise, reject } = Promise.withResolvers<VerificationResult>();
    register(() => promise);
    await ana.submit(await openForm(), typed);
    await ana.seeDialog('Checking…');
    reject(new Error('the inner fault'));
    const failed = await ana.seeDialog('It broke.');
    expect(JSON.stringify(failed.blocks)).toMatch(/What you wrote:.*&gt; Mallory/);
    await at.seeLogged(referenceIn(failed));
  });

  it('sends the typed text to a person who closed the modal before it failed', async () => {
    const { promise, reject } = Promise.withResolvers<VerificationResult>();
    register(() => promise);
    await ana.submit(await openForm(), typed);
    await ana.close(await ana.seeDialog('Checking…'));
    reject(new Error('the inner fault'));
    expect((await ana.seeMessage('It broke.')).text).toMatch(/What you wrote:\n&gt; Mallory/);
  });
});
