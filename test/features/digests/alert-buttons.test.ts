import { expect, it } from 'vitest';
import { buttonTexts } from '../../support/ask.ts';
import { textsOf } from '../message-parts.ts';
import { startDigests } from './start-digests.ts';

it('shows three alerts with a button each, and a button to the list', async () => {
  const stage = await startDigests();
  stage.raise({ id: 'new', severity: 'error', name: 'vm-77' });
  await stage.addDigest({ parts: ['new', 'open'] });
  await stage.run();
  const [digest] = stage.posted();
  expect(digest && buttonTexts(digest)).toEqual([
    ...['View details', 'View details', 'View details'],
    'View alerts',
  ]);
});

it('counts all alerts by cause, the worst first', async () => {
  const stage = await startDigests();
  const others = stage.service.alerts(stage.portal.id);
  const [warning, error] = [
    { severity: 'warning', type: 'backup_failed' },
    { severity: 'error', type: 'restore_failed' },
  ] as const;
  for (const name of ['w1', 'w2', 'w3']) stage.raise({ id: name, name, ...warning });
  const old = '2026-03-01T08:00:00Z';
  stage.raise({ id: 'e1', name: 'e1', ...error });
  stage.raise({ id: 'e2', name: 'e2', ...error, raised_timestamp: old });
  for (const one of others) stage.service.putAlert(stage.portal.id, { ...one, status: 'cleared' });
  await stage.addDigest({ parts: ['new', 'open'] });
  await stage.run();
  const table = stage.posted()[0]?.blocks?.find(({ type }) => type === 'table');
  const rows = table?.type === 'table' ? table.rows : [];
  expect(rows.map((row) => row.map((cell) => (cell.type === 'raw_text' ? cell.text : '')))).toEqual(
    [
      ['Cause', 'Severity', 'New', 'Still active'],
      [expect.stringMatching(/^Restore failed/), 'Error', '1', '1'],
      [expect.stringMatching(/^Backup failed/), 'Warning', '3', '0'],
    ],
  );
});

it('shows the preview without buttons, and says that the digest has some', async () => {
  const stage = await startDigests();
  stage.raise({ id: 'new', severity: 'error', name: 'vm-77' });
  await stage.ana.send('ops', '/belay digest new');
  await stage.ana.submit(await stage.ana.seeDialog('Time zone'), {});
  const shown = await stage.ana.seeDialog('This digest, if posted now');
  expect(buttonTexts(shown)).toEqual(['Back']);
  expect(textsOf(shown.blocks).at(-2)).toBe('The posted digest has buttons to view alerts.');
});

it('mentions no buttons without an alert', async () => {
  const stage = await startDigests();
  await stage.ana.send('ops', '/belay digest new');
  const form = await stage.ana.seeDialog('Time zone');
  await stage.ana.submit(form, { parts: { input: ['approvals'] } });
  const shown = await stage.ana.seeDialog('This digest, if posted now');
  expect(textsOf(shown.blocks).join('\n')).not.toContain('buttons to view alerts');
});
