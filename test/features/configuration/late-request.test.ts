import { expect, test } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import {
  applyFile,
  exportConfiguration,
  parseConfiguration,
  planFile,
} from '../../../src/features/configuration/index.ts';
import { createTokenCipher } from '../../../src/features/workspaces/index.ts';
import { ask } from '../../support/ask.ts';
import { shareWorldWithDatabase } from '../approvals/world-with-database.ts';
import { dependenciesOn, operator, regions } from './apply.ts';

const { world, db } = shareWorldWithDatabase();

test('a request made after the plan is not ended without a second person', async () => {
  const { ana, workspace, env } = world();
  const keys = [Buffer.from(env.BELAY_ENCRYPTION_KEYS ?? '', 'base64')];
  const cipher = createTokenCipher(keys);
  const { teamId } = workspace;
  const text = await exportConfiguration(teamId, { db: db(), cipher });
  const own = { ...dependenciesOn(db()), cipher, append: createAppendEntry(keys) };
  const [region] = regions;
  if (!region) throw new Error('there is no region');
  const [id] = /(?<=region: ).*/.exec(text) ?? [''];
  const dependencies = { ...own, checks: { ...own.checks, regions: [{ ...region, id }] } };
  // The token of another tenant ends what waits on the connection, and weakens nothing.
  const plan = () =>
    planFile(parseConfiguration(text, 'belay.yaml'), teamId, {
      ...{ ...dependencies, at: operator.at },
    });
  const before = await plan();
  expect(before.voided.size).toBe(0);
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  expect(await applyFile(before, operator, dependencies)).toMatchObject({ result: 'refused' });
  expect(await applyFile(await plan(), operator, dependencies)).toMatchObject({
    result: 'approval-needed',
  });
  await ana.press(request, 'Withdraw');
});
