import { expect, test } from 'vitest';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

// So late that no unknown outcome is checked during the test.
const timings = { leaseMs: 60_000, settleMs: 60_000, checkMs: 60_000 };
const { world, db } = shareWorldWithDatabase({ timings });
const command = '/belay disable joana.prado@example.com';

test('a late result from a process whose lease expired replaces the unknown outcome', async () => {
  const { ana, ben, belay, service } = world();
  const request = await ask(ana, command);
  service.setFault({ kind: 'held' }, { method: 'PATCH' });
  await ben.press(request, 'Approve');
  await expect.poll(() => service.requests.some(({ method }) => method === 'PATCH')).toBe(true);
  // As if the process had hung for longer than its lease.
  const overdue = new Date(Date.now() - 1000);
  await db()
    .updateTable('run')
    .from('approval')
    .set({ wake_at: overdue })
    .whereRef('approval.id', '=', 'run.approval_id')
    .where('message_ts', '=', request.messageTs)
    .execute();
  await belay.sweep();
  const words = "Belay doesn't know yet whether the change was made, and keeps checking.";
  expect(buttonTexts(await seeAgain(ana, request, words))).toEqual(['View user']);

  service.setFault(undefined);
  const done = await seeAgain(ana, request, /Completed: .* is disabled\./);
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
  await heardBack(ana);
  await ana.see(() =>
    messagesOf(ana).find(({ text }) => /is disabled\. .*Your request /.test(text)),
  );
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  const log = await logOf(db(), request);
  expect(log.slice(2)).toEqual([
    'started belay',
    'outcome_unknown belay interrupted',
    'completed belay',
  ]);
});

test('a process that lost its lease before the change does not send it', async () => {
  const { ana, ben, belay, service } = world();
  const request = await ask(ana, command);
  const looksBefore = service.requests.length;
  service.setFault({ kind: 'held' }, { method: 'GET' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Belay is making the change.');
  await db()
    .updateTable('run')
    .set({ lease_holder: 'another' })
    .from('approval')
    .whereRef('approval.id', '=', 'run.approval_id')
    .where('message_ts', '=', request.messageTs)
    .execute();
  service.setFault(undefined);
  // Waits for running work to finish. This must be the last test in the file.
  await belay.stop();
  expect(service.requests.length).toBeGreaterThan(looksBefore);
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
});
