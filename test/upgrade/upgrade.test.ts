import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../playground/act-as.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import { defaultSearch } from '../../src/features/alerts/alert-search.ts';
import { oldDatabases } from '../database/old-database.ts';
import { buttonTexts, messagesOf } from '../support/ask.ts';
import { patienceMs } from '../support/patience.ts';
import { readCheckpoints } from '../support/read-checkpoints.ts';
import { left } from './old-version.ts';
import { answerTo, buttonsIn, closeAll, dialog } from './slack-helpers.ts';
import { startUpgradedBot, type UpgradedBot } from './upgraded-bot.ts';

const { users } = left;
/** For machines that are busy with other tests. */
const patience = { timeout: patienceMs, interval: 50 };
const input = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([block, value]) => [block, { input: value }]));

describe.each(oldDatabases('007_failed_edits'))('after an upgrade on $name', ({ open }) => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-upgrade-'));
  let bot: UpgradedBot;
  beforeAll(async () => {
    // Requests expire and signatures are checked against the time of the fixtures. Timers stay real.
    vi.useFakeTimers({ toFake: ['Date'], now: left.madeAt, shouldAdvanceTime: true });
    bot = await startUpgradedBot(await open(), folder);
  });
  afterAll(async () => {
    await bot?.stop();
    vi.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  const requestOf = async (email: string | undefined) => {
    const { rows } = await sql<{ state: string; decision_reason: string | null; outcome: string }>`
      select state, decision_reason, outcome from approval where payload ->> 'email' = ${email}
      order by requested_at desc limit 1`.execute(bot.db);
    return rows[0];
  };
  const reaches = (email: string | undefined, expected: string) =>
    vi.waitFor(async () => expect((await requestOf(email))?.state).toBe(expected), patience);
  const isEnabled = (email: string | undefined) =>
    bot.service.users(left.region).find((user) => user.email === email)?.is_enabled;
  const about = (email: string | undefined, button: string) => (message: Message) =>
    message.text.includes(email ?? '') && buttonTexts(message).includes(button);
  const pressed = new Set<string>();
  const press = async (person: Actor, isIt: (message: Message) => boolean, button: string) => {
    const message = bot.message(person, isIt);
    const found = buttonsIn(message.blocks).find(({ text }) => text === button);
    pressed.add(found?.actionId ?? '');
    expect(await person.press(message, button)).toEqual({ result: 'ok' });
  };
  const settled = (answer: Message) => expect(answer.text).not.toMatch(/older version|try again/i);

  const verify = async () => {
    const keys = [Buffer.from(left.encryptionKeys, 'base64')];
    const { checkpoints, faults } = await readCheckpoints(bot.checkpointFile, keys);
    expect(faults).toEqual([]);
    expect(checkpoints.length).toBeGreaterThan(5);
    const [report, ...others] = await verifyAuditLog(bot.db, keys, checkpoints);
    expect(others).toEqual([]);
    expect(report?.firstBreak).toBeUndefined();
    return report;
  };

  it('the audit log is valid, including checkpoints and erased texts', async () => {
    const report = await verify();
    expect(report?.entries).toBeGreaterThanOrEqual(55);
    expect(report?.erasedTexts).toBe(1);
  });

  it('a waiting job runs the approved request', async () => {
    await reaches(users.approved, 'succeeded');
    expect(isEnabled(users.approved)).toBe(false);
  });

  it('an unknown outcome is resolved', async () => {
    await vi.waitFor(async () => {
      await bot.sweep();
      expect((await requestOf(users.unknown))?.state).toBe('succeeded');
    }, patience);
    // The old version did not record what it sent, so an attempt counts as sent.
    expect((await requestOf(users.unknown))?.outcome).toBe(
      'Belay checked again and found the change.',
    );
  });

  it('waiting messages are delivered, and posted messages are not posted again', async () => {
    const waiting = async () => {
      const rows = await bot.db
        .selectFrom('delivery_message')
        .select('id')
        .where('state', '=', 'waiting')
        .execute();
      return rows.length;
    };
    await vi.waitFor(
      async () => {
        vi.setSystemTime(Date.now() + 1000);
        expect(await waiting()).toBe(0);
      },
      { ...patience, interval: 250 },
    );
    const texts = messagesOf(bot.ana).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('more alerts'))).toHaveLength(2);
  });

  it('the Approve button works', async () => {
    await press(bot.ben, about(users.pendingA, 'Approve'), 'Approve');
    await reaches(users.pendingA, 'succeeded');
    expect(isEnabled(users.pendingA)).toBe(false);
  });

  it('the Deny button works, also in a modal opened before the upgrade', async () => {
    await press(bot.ben, about(users.pendingB, 'Deny'), 'Deny');
    await dialog(bot.ben, ({ callbackId }) => callbackId === 'approvals.deny');
    await closeAll(bot.ben);
    const view = await bot.openModal(bot.ben, 'deny');
    await bot.ben.submit(view, input({ reason: 'Still needed' }));
    await reaches(users.pendingB, 'denied');
    expect(await requestOf(users.pendingB)).toMatchObject({ decision_reason: 'Still needed' });
  });

  it('the Withdraw button works', async () => {
    await press(bot.ana, about(users.pendingC, 'Withdraw'), 'Withdraw');
    await reaches(users.pendingC, 'withdrawn');
  });

  it('a deletion can be canceled in the channel and in the direct message', async () => {
    const inChannel = about(users.scheduled, 'Keep this user');
    await press(
      bot.ben,
      (one) => one.channelId === 'C0APPROVE2' && inChannel(one),
      'Keep this user',
    );
    const inDirect = about(users.scheduled2, 'Keep this user');
    await press(bot.ana, (one) => one.channelId.startsWith('D') && inDirect(one), 'Keep this user');
    await reaches(users.scheduled, 'kept');
    await reaches(users.scheduled2, 'kept');
    expect([isEnabled(users.scheduled), isEnabled(users.scheduled2)]).toEqual([true, true]);
  });

  it('the Re-enable button of a completed request works', async () => {
    await press(bot.ana, (one) => buttonTexts(one).includes('Re-enable'), 'Re-enable');
    await dialog(bot.ana, ({ callbackId }) => callbackId === 'users.request');
    await closeAll(bot.ana);
  });

  it('a request form opened before the upgrade can be submitted', async () => {
    const view = await bot.openModal(bot.ana, 'request disable');
    await bot.ana.submit(view, input({ reason: 'Left the company' }));
    await reaches(users.other, 'pending');
    const choice = await bot.openModal(bot.ana, 'choose user');
    await bot.ana.press(choice, 'This one');
    await dialog(bot.ana, ({ callbackId }) => callbackId === 'users.request');
    await closeAll(bot.ana);
  });

  it('the Show and Disable… buttons of users work', async () => {
    settled(
      await answerTo(bot.ana, () =>
        press(bot.ana, (one) => one.text.includes('users match'), 'Show'),
      ),
    );
    for (const verb of ['Disable…', 'Rename…', 'Delete…']) {
      await press(bot.ana, about('sven.moreau@example.com', verb), verb);
      await dialog(bot.ana, ({ callbackId }) => callbackId === 'users.request');
      await closeAll(bot.ana);
    }
  });

  it('the Details button of an alert posted by a watch works', async () => {
    await press(bot.ana, (one) => /^:large_red_circle: /.test(one.text), 'Details');
    await dialog(bot.ana, (view) => /^(?:Add|Edit) note$/m.test(buttonTexts(view).join('\n')));
    await closeAll(bot.ana);
  });

  it('the note and clear forms opened before the upgrade can be submitted', async () => {
    const note = await bot.openModal(bot.ben, 'alert note');
    settled(await answerTo(bot.ben, () => bot.ben.submit(note, input({ note: 'On its way' }))));
    expect(bot.service.alerts(left.region).map(({ notes }) => notes)).toContain('On its way');
    await closeAll(bot.ben);

    const details = await bot.openModal(bot.ben, 'alert details');
    await bot.ben.press(details, 'Clear…');
    await dialog(bot.ben, ({ callbackId }) => callbackId === 'alerts.clear');
    await closeAll(bot.ben);
    const { view } = left.modals.find(({ name }) => name === 'alert clear') ?? {};
    const alertId = /"alertId":"([^"]+)"/.exec(String(view?.private_metadata))?.[1];
    const clear = await bot.openModal(bot.ben, 'alert clear');
    settled(await answerTo(bot.ben, () => bot.ben.submit(clear, {})));
    const cleared = bot.service.alerts(left.region).find(({ id }) => id === alertId);
    expect(cleared?.status).toBe('cleared');
    await closeAll(bot.ben);
  });

  it('the page and filter buttons of an alert list work', async () => {
    const isList = (one: Message) => one.text.startsWith('Active alerts, newest first');
    const button = buttonTexts(bot.message(bot.ana, isList)).filter((one) => one !== 'Details');
    expect(button).toEqual(['Older', 'Filter…']);
    await press(bot.ana, isList, 'Filter…');
    await dialog(bot.ana, ({ callbackId }) => callbackId === 'alerts.filter');
    await closeAll(bot.ana);
    settled(await answerTo(bot.ana, () => press(bot.ana, isList, 'Older')));
    const filter = await bot.openModal(bot.ana, 'alert filter');
    settled(await answerTo(bot.ana, () => bot.ana.submit(filter, input({ words: 'volume' }))));
    await closeAll(bot.ana);
  });

  it('the list of watches works, and a filter form opened before the upgrade', async () => {
    const isList = (one: Message) => one.text.startsWith('One watch here');
    await press(bot.ana, isList, 'Edit…');
    await dialog(bot.ana, ({ callbackId }) => callbackId === 'watches.edit');
    await closeAll(bot.ana);
    const edit = await bot.openModal(bot.ana, 'watch edit');
    await bot.ana.submit(edit, input({ filter: 'severity:warning' }));
    const watches = () =>
      bot.db
        .selectFrom('watch')
        .select(['ended_at', 'search', 'connection_origin_id'])
        .where('channel_id', '=', 'C0OPS00001')
        .executeTakeFirstOrThrow();
    await vi.waitFor(
      async () => expect((await watches()).search).toMatchObject({ severities: ['warning'] }),
      patience,
    );
    expect(await watches()).toMatchObject({ connection_origin_id: expect.any(String) });
    // The button ends the watch only as it was when it was listed.
    await bot.db.updateTable('watch').set({ changed_at: null }).execute();
    await press(bot.ana, isList, 'End');
    await vi.waitFor(async () => expect((await watches()).ended_at).not.toBeNull(), patience);
  });

  it('the list of digests works, and forms opened before the upgrade', async () => {
    const isList = (one: Message) => one.text.startsWith('One digest here');
    for (const button of ['Edit…', 'New digest…']) {
      await press(bot.ana, isList, button);
      await dialog(bot.ana, ({ callbackId }) => callbackId === 'digests.form');
      await closeAll(bot.ana);
    }
    const digests = () => bot.db.selectFrom('digest').select('time').orderBy('time').execute();
    for (const [modal, time] of [
      ['digest edit', '09:30'],
      ['digest new', '17:30'],
    ] as const) {
      const form = await bot.openModal(bot.ana, modal);
      await bot.ana.submit(form, input({ time }));
      const preview = await dialog(
        bot.ana,
        // Not the message that Belay is still working on it, which has no button.
        ({ submit }) => submit !== undefined && submit !== form.submit,
      );
      await bot.ana.submit(preview, {});
      await vi.waitFor(async () => expect(await digests()).toContainEqual({ time }), patience);
      await closeAll(bot.ana);
    }
    // Digests of the old version include all alerts, and get a filter only in the new form.
    const both = await bot.db.selectFrom('digest').selectAll().execute();
    expect(both.map(({ search }) => search)).toEqual([defaultSearch, defaultSearch]);
    const [own, added] = both.map((row) => row.connection_origin_id);
    expect(own).toEqual(expect.any(String));
    expect(added).toBe(own);
    await bot.db.updateTable('digest').set({ version: 0 }).execute();
    await press(bot.ana, isList, 'End');
    await vi.waitFor(async () => expect(await digests()).toEqual([{ time: '17:30' }]), patience);
  });

  it('the Show button of a compliance list and the Older button of the audit log work', async () => {
    const isCompliance = (one: Message) => one.text.startsWith('Compliance: ');
    settled(await answerTo(bot.ana, () => press(bot.ana, isCompliance, 'Show')));
    const isLog = (one: Message) => one.text.startsWith('Decision log');
    settled(await answerTo(bot.ben, () => press(bot.ben, isLog, 'Older')));
  });

  it('a setup form opened before the upgrade can be submitted without a new token', async () => {
    const setup = await bot.openModal(bot.cleo, 'setup');
    await bot.cleo.submit(setup, input({ 'users-per-hour': '1' }));
    await dialog(bot.cleo, ({ callbackId }) => callbackId !== 'workspaces.setup');
    const settings = () =>
      bot.db.selectFrom('workspace_settings').select('users_per_hour').executeTakeFirstOrThrow();
    await vi.waitFor(async () => expect(await settings()).toEqual({ users_per_hour: 1 }), patience);
  });

  it('the audit log is valid with the entries of both versions', async () => {
    const report = await verify();
    expect(report?.entries).toBeGreaterThan(65);
  });

  it('every button of the old messages was tested', () => {
    const all = buttonsIn(left.messages).map(({ actionId }) => actionId);
    expect([...new Set(all)].filter((id) => !pressed.has(id))).toEqual([]);
  });
});
