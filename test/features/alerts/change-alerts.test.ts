import { expect, it } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { AuditEntry } from '../../../src/audit-log/entry.ts';
import { systemClock } from '../../../src/clock.ts';
import { annotateAlert } from '../../../src/dataprotection/resources/change-alert.ts';
import { clear, NotLoggedError } from '../../../src/features/alerts/change-alerts.ts';
import { buttonTexts, messagesOf } from '../../support/ask.ts';
import { startAlerts } from './alert-stage.ts';

async function openDetails(person: Actor, words: string) {
  await person.send('ops', `/belay alerts ${words}`);
  await person.press(await person.seeMessage('1 active: 1 '), 'View details');
  return person.seeDialog('Alert ID');
}

async function openNote(person: Actor, words: string) {
  const details = await openDetails(person, words);
  await person.press(details, buttonTexts(details).find((text) => text.endsWith(' note')) ?? '');
  return person.seeDialog('Leave empty to remove the note');
}

it('lets any member add a note, and logs it', async () => {
  const { ana, pickAlert, alert, readLog, reported } = await startAlerts({ dialect: 'live' });
  const { id, words } = pickAlert();
  const form = await openNote(ana, words);
  await ana.submit(form, { note: { input: ' Disk is on its way <!here> ' } });
  const answer = await ana.seeMessage('Note saved: ');
  expect(answer.text).toContain('&gt; Disk is on its way &lt;!here&gt;');
  expect(alert(id).notes).toBe('Disk is on its way <!here>');
  const reportedAlert = { id, notes: 'Disk is on its way <!here>' };
  expect(reported.at(-1)).toMatchObject({
    connectionId: 'c1',
    alert: reportedAlert,
    change: { by: people.ana, what: 'noted' },
  });
  expect(await readLog()).toEqual([
    expect.objectContaining({
      event: 'note_changed',
      actor: people.ana,
      action: 'alerts.note',
      subjectId: id,
      facts: { alertId: id, outcome: 'done' },
      personal: expect.objectContaining({ note: 'Disk is on its way <!here>' }),
    }),
  ]);

  await ana.press(answer, 'View details');
  await ana.press(await ana.seeDialog('Disk is on its way'), 'Edit note');
  const again = await ana.seeDialog('Leave empty to remove the note');
  expect(JSON.stringify(again.blocks)).toContain('"initial_value":"Disk is on its way <!here>"');
  await ana.submit(again, { note: { input: null } });
  await ana.seeMessage('Note removed: ');
  expect(alert(id).notes).toBe('');
});

it('does not overwrite a note that somebody else changed meanwhile, and returns the typed text', async () => {
  const { ana, client, pickAlert, alert, readLog } = await startAlerts({ dialect: 'live' });
  const { id, words } = pickAlert();
  const form = await openNote(ana, words);
  await annotateAlert(client, id, 'Ben is on it');
  await ana.submit(form, { note: { input: 'Nobody looks at this' } });
  const answer = await ana.seeMessage("Your note wasn't saved");
  expect(answer.text).toContain(
    'Current note:\n&gt; Ben is on it\nYour note:\n&gt; Nobody looks at this',
  );
  expect(alert(id).notes).toBe('Ben is on it');
  expect(await readLog()).toEqual([]);
});

it('clears an alert for an approver after confirmation, preserves the note, and logs it', async () => {
  const { ben, client, pickAlert, alert, readLog } = await startAlerts({ dialect: 'live' });
  const { id, words } = pickAlert();
  await annotateAlert(client, id, 'Was a false alarm');
  await ben.press(await openDetails(ben, words), 'Clear alert');
  const question = await ben.seeDialog("This can't be undone.");
  expect(alert(id).status).toBe('active');
  await ben.submit(question, {});
  await ben.seeMessage('Alert cleared: ');
  expect(alert(id)).toMatchObject({ status: 'cleared', notes: 'Was a false alarm' });
  expect(await readLog()).toEqual([
    expect.objectContaining({
      event: 'started',
      actor: people.ben,
      action: 'alerts.clear',
      subjectId: id,
      facts: { alertId: id },
      personal: {
        summary: expect.stringMatching(/^Clear the alert about ./),
        subject: expect.stringMatching(/^[^,]+, ./),
      },
    }),
    expect.objectContaining({
      event: 'alert_cleared',
      actor: people.ben,
      action: 'alerts.clear',
      subjectId: id,
      facts: { alertId: id, outcome: 'done' },
    }),
  ]);
});

it('does not clear an alert twice', async () => {
  const { ben, cleo, service, pickAlert, readLog } = await startAlerts({ dialect: 'live' });
  const { words } = pickAlert();
  for (const person of [ben, cleo]) {
    await person.press(await openDetails(person, words), 'Clear alert');
    await person.seeDialog("This can't be undone.");
  }
  for (const person of [ben, cleo]) {
    await person.submit(await person.seeDialog("This can't be undone."), {});
    await person.seeMessage(/Alert cleared: |was already cleared/);
  }
  await cleo.seeMessage(/was already cleared: .* Nothing was changed/);
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  expect((await readLog()).map(({ event }) => event)).toEqual(['started', 'alert_cleared']);
});

it("does not clear an alert if it can't write to the audit log", async () => {
  const { client, service, pickAlert, alert } = await startAlerts({ dialect: 'live' });
  const { id: alertId } = pickAlert();
  const log = async () => {
    throw new Error('the database is away');
  };
  const input = {
    client,
    connectionId: 'c1',
    teamId: 'T1',
    actor: 'U1',
    alertId,
    now: systemClock,
  };
  await expect(clear({ ...input, log })).rejects.toThrow(NotLoggedError);
  expect(alert(alertId).status).toBe('active');
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

it('logs the start of a clear before the outcome, which may fail to be logged', async () => {
  const { client, pickAlert, alert } = await startAlerts({ dialect: 'live' });
  const { id: alertId } = pickAlert();
  const entries: AuditEntry[] = [];
  const log = async (entry: AuditEntry) => {
    if (entries.length > 0) throw new Error('the database is away');
    entries.push(entry);
  };
  const input = {
    client,
    connectionId: 'c1',
    teamId: 'T1',
    actor: 'U1',
    alertId,
    now: systemClock,
  };
  await expect(clear({ ...input, log })).rejects.toThrow('the database is away');
  expect(alert(alertId).status).toBe('cleared');
  expect(entries).toMatchObject([{ event: 'started', actor: 'U1', subjectId: alertId }]);
});

it('refuses people without permission at every step of clearing, and logs the attempt', async () => {
  const { ana, ben, approvers, pickAlert, alert, readLog } = await startAlerts({ dialect: 'live' });
  const { id, words } = pickAlert();
  const details = await openDetails(ana, words);
  expect(JSON.stringify(details.blocks)).toContain('Only approvers and admins can clear alerts.');
  expect(JSON.stringify(details.blocks)).not.toContain('Clear alert');

  const early = await openDetails(ben, words);
  approvers.splice(0, 1, people.ana);
  await ben.press(early, 'Clear alert');
  await ben.seeDialog("because clearing can't be undone");
  approvers.push(people.ben);
  await ben.press(await openDetails(ben, words), 'Clear alert');
  const question = await ben.seeDialog("This can't be undone.");
  approvers.pop();
  await ben.submit(question, {});
  await ben.seeMessage('Nothing was changed. Ask one of them');

  expect(alert(id).status).toBe('active');
  const refusal = { event: 'refused', actor: people.ben, action: 'alerts.clear', subjectId: id };
  const facts = { alertId: id, reason: 'not_approver_or_admin' };
  expect(await readLog()).toEqual([
    expect.objectContaining({ ...refusal, facts }),
    expect.objectContaining({ ...refusal, facts }),
  ]);
});

it('logs a clear that failed or has an unknown outcome', async () => {
  const { ben, service, pickAlert, readLog } = await startAlerts({ dialect: 'live' });
  const { id, words } = pickAlert();
  await ben.press(await openDetails(ben, words), 'Clear alert');
  const question = await ben.seeDialog("This can't be undone.");
  service.setFault({ kind: 'status', status: 403 }, { method: 'PATCH' });
  await ben.submit(question, {});
  const first = await ben.seeMessage('It broke.');
  const events = async () => (await readLog()).map(({ event, facts }) => [event, facts.outcome]);
  const failed = [
    ['started', undefined],
    ['failed', undefined],
  ];
  expect(await events()).toEqual(failed);

  await ben.press(await openDetails(ben, words), 'Clear alert');
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'PATCH' });
  await ben.submit(await ben.seeDialog("This can't be undone."), {});
  await ben.see(() =>
    messagesOf(ben).find(({ text }) => text.includes('It broke.') && text !== first.text),
  );
  expect(await events()).toEqual([...failed, ['started', undefined], ['alert_cleared', 'unknown']]);
  expect((await readLog()).at(-1)?.facts).toEqual({ alertId: id, outcome: 'unknown' });
});

it('reports an alert that no longer exists when the modal is submitted', async () => {
  const { ana, service, pickAlert } = await startAlerts({ dialect: 'live' });
  const form = await openNote(ana, pickAlert().words);
  service.setFault({ kind: 'status', status: 404 }, { pathPrefix: '/alerts/individual/' });
  await ana.submit(form, { note: { input: 'x' } });
  await ana.seeMessage('This alert no longer exists. Nothing was changed.');
});

it.each([
  { dialect: 'documented' } as const,
  { dialect: 'live', without: ['update-individual-alert'] } as const,
])('shows neither button if the service has no such operation: %j', async (options) => {
  const { ben, pickAlert } = await startAlerts(options);
  const details = JSON.stringify((await openDetails(ben, pickAlert().words)).blocks);
  expect(details).toContain("This service doesn't let Belay add notes or clear alerts.");
  expect(details).not.toMatch(/"(Add note|Edit note|Clear alert)"/);
});
