import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import {
  applyFile,
  parseConfiguration,
  planFile,
} from '../../../src/features/configuration/index.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { seeAgain } from '../../support/ask.ts';
import { requestSetup } from '../../support/set-up.ts';
import { openStored, operator } from './apply.ts';

const { world, db } = shareWorldWithDatabase();

test('a request made after the plan is not voided without being listed', async () => {
  const { cleo, workspace } = world();
  const { teamId } = workspace;
  const { stored, context } = await openStored(world(), db());
  const text = stored.replace('deleteGraceMinutes: 30', 'deleteGraceMinutes: 45');
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
