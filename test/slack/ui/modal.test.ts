import { expect, it } from 'vitest';
import { people } from '../../../playground/people.ts';
import { validateView } from '../../../playground/slack/validate/view.ts';
import { notice, section } from '../../../src/slack/ui/blocks.ts';
import { noticeModal, openPendingModal } from '../../../src/slack/ui/modal.ts';
import { table } from '../../../src/slack/ui/table.ts';
import { listen } from '../interactions/listening.ts';

it('does not fail if the modal is closed before it is filled', async () => {
  const at = await listen();
  const ana = at.person(people.ana);
  const { promise: work, resolve: finish } = Promise.withResolvers<void>();
  at.listeners.command('/belay', async (call) => {
    await openPendingModal(call, { title: 'A user', waiting: 'Looking…' }, async () => {
      await work;
      return noticeModal('A user', [section('Found.')]);
    });
    return notice('It is over.');
  });
  await ana.send('ops', '/belay show');
  await ana.close(await ana.seeDialog('Looking…'));
  finish();
  await ana.seeMessage('It is over.');
  expect(ana.snapshot().views).toEqual([]);
  expect(at.logged.join()).not.toContain('a listener failed');
});

it('shows a table of a message as text, with all of its rows', () => {
  const name = (index: number) => `Policy ${index} ${'x'.repeat(80)}`;
  const rows = Array.from({ length: 60 }, (_, index) => [name(index), `${index}`]);
  const figures = table([{ title: 'Policy' }, { title: 'Noncompliant', align: 'right' }], rows);
  const view = noticeModal('Policies', [section('All policies'), figures]);
  expect(validateView(view)).toEqual([]);
  for (const index of [0, 59]) {
    expect(JSON.stringify(view.blocks)).toContain(`${name(index)}: noncompliant ${index}`);
  }
});
