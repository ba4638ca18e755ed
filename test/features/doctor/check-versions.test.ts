import { expect, inject, it, onTestFinished } from 'vitest';
import { checkReplicas, checkUpgrade } from '../../../src/features/doctor/checks/check-versions.ts';
import { joinReplicas } from '../../../src/replicas/replicas.ts';
import { version } from '../../../src/version.ts';
import { openFromTemplate } from '../../support/database-template.ts';

it('shows the versions of the processes, and whether an upgrade is pending', async () => {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const now = new Date();
  const join = (id: string, of: string) => joinReplicas(db, { id, version: of, clock: () => now });
  await join('one', '0.8.0');
  expect(await checkReplicas(db, now)).toMatchObject([
    { severity: 'ok', text: '1 process running · `one` (0.8.0)' },
  ]);
  await join('two', '0.9.0');
  expect(await checkReplicas(db, now)).toMatchObject([
    {
      severity: 'warning',
      text: 'An upgrade is in progress. The processes run different versions: `one` (0.8.0), `two` (0.9.0).',
      remedy: 'Finish the upgrade: stop the processes of the older version.',
    },
  ]);

  expect(await checkUpgrade(db)).toEqual([
    { severity: 'ok', text: `Version ${version} · no upgrade is pending` },
  ]);
  const status = { oldest: '0.8.0', newer: [], pending: [] };
  expect(await checkUpgrade(db, async () => ({ ...status, newer: ['900_newer'] }))).toMatchObject([
    { severity: 'warning', text: expect.stringMatching(/^A newer version/) },
  ]);
  expect(
    await checkUpgrade(db, async () => ({ ...status, pending: ['901_contract'] })),
  ).toMatchObject([
    { severity: 'ok', text: expect.stringContaining('admin -- migrate --contract') },
  ]);
});
