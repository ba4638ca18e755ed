import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { expect, it } from 'vitest';
import { createComplianceSampler } from '../../../src/features/compliance/sample-compliance.ts';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests, teamId } from './start-digests.ts';

type Stage = Awaited<ReturnType<typeof startDigests>>;

/** Runs a digest of compliance after another token was saved. */
async function tellAfterNewToken({ db, world, connected, addDigest, run, posted }: Stage) {
  await addDigest({ parts: ['compliance'] });
  await db.updateTable('connection').set({ replaced_at: fridayNine, token_sealed: null }).execute();
  const id = randomUUID();
  await db
    .insertInto('connection')
    .values({
      id,
      origin_id: connected.originId,
      team_id: teamId,
      region_id: 'eu',
      token_sealed: 'sealed',
      saved_by: 'U1',
      saved_at: fridayNine,
    })
    .execute();
  world.service = { ...connected, connectionId: id };
  await run();
  return textsOf(posted()[0]?.blocks)[1]?.split('\n') ?? [];
}

it('compares with the last digest after a new token for the same tenant', async () => {
  const stage = await startDigests();
  const [policy] = stage.policies();
  await stage.remember((readings) =>
    readings.map((reading) =>
      reading.policy.id === policy?.id
        ? { ...reading, statistics: { ...reading.statistics, nonCompliantCount: 9999 } }
        : reading,
    ),
  );
  const [summary] = await tellAfterNewToken(stage);
  expect(summary).toContain(` · 1 policy changed · *${policy?.name}*: 9999 → `);
});

it('does not compare after a token for another tenant', async () => {
  const stage = await startDigests();
  await stage.remember((readings) =>
    readings.map(({ policy, ...rest }) => ({
      policy: { ...policy, id: `other-${policy.id}` },
      ...rest,
    })),
  );
  expect(await tellAfterNewToken(stage)).toEqual([
    expect.stringMatching(/ · no earlier data to compare$/),
  ]);
});

it('compares with samples of the previous token if the first read with the new token failed', async () => {
  const stage = await startDigests();
  const [policy] = stage.policies();
  await stage.remember((readings) =>
    readings.map((reading) =>
      reading.policy.id === policy?.id
        ? { ...reading, statistics: { ...reading.statistics, nonCompliantCount: 9999 } }
        : reading,
    ),
  );
  stage.service.setFault({ kind: 'status', status: 500 });
  expect(await tellAfterNewToken(stage)).toEqual([
    expect.stringContaining('*Compliance* · unavailable'),
  ]);
  stage.service.setFault(undefined);
  // Of two samples of the same moment, either may count.
  stage.at(addMinutes(fridayNine, 1));
  await createComplianceSampler(stage.dependencies).finish();
  stage.at(addDays(fridayNine, 1));
  await stage.run();
  const texts = textsOf(stage.posted()[1]?.blocks)[1]?.split('\n') ?? [];
  expect(texts[0]).toContain(` · 1 policy changed · *${policy?.name}*: 9999 → `);
});
