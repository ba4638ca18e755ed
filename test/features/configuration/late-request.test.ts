import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import {
  applyFile,
  exportConfiguration,
  parseConfiguration,
  planFile,
} from '../../../src/features/configuration/index.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { seeAgain } from '../../support/ask.ts';
import { requestSetup } from '../../support/set-up.ts';
import { contextOn, operator, regions } from './apply.ts';

const { world, db } = shareWorldWithDatabase();

test('a request made after the plan is not voided without being listed', async () => {
  const { cleo, workspace, env, portal } = world();
  const keys = [Buffer.from(env.BELAY_ENCRYPTION_KEYS ?? '', 'base64')];
  const cipher = createTokenCipher(keys);
  const { teamId } = workspace;
  const stored = await exportConfiguration(teamId, { db: db(), cipher });
  const text = stored.replace('deleteGraceMinutes: 30', 'deleteGraceMinutes: 45');
  const own = contextOn(db());
  const [region] = regions;
  if (!region) throw new Error('there is no region');
  const [id] = /(?<=region: ).*/.exec(text) ?? [''];
  const context = {
    ...own,
    cipher,
    hooks: { ...own.hooks, append: createAppendEntry(keys) },
    regions: [{ ...region, id }],
    readToken: () => portal.token,
  };
  const plan = () =>
    planFile(parseConfiguration(text, 'belay.yaml'), { teamId, at: operator.at }, context);

  const before = await plan();
  expect(before.voided.size).toBe(0);
  const request = await requestSetup(cleo, { approvers: [people.cleo] });
  expect(await applyFile(before, operator, context)).toMatchObject({ result: 'refused' });
  const after = await plan();
  expect(after.voided.get(teamId)).toHaveLength(1);
  expect(await applyFile(after, operator, context)).toEqual({ result: 'applied' });
  await seeAgain(cleo, request, 'Voided');
});
