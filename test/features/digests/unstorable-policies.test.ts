import { addDays } from 'date-fns/addDays';
import { expect, it } from 'vitest';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests } from './start-digests.ts';

const longId = 'x'.repeat(301);

/** A service with these policies, whose statistics never change. */
async function startWith(ids: string[]) {
  const stage = await startDigests();
  const items = ids.map((id) => ({ id, name: 'Gold', sla_sets: [] }));
  const client = await clientOf(({ url = '' }, response) =>
    answerJson(
      response,
      url.includes('/stats/')
        ? { compliant_count: 4, non_compliant_count: 1 }
        : { _embedded: { items }, _links: {} },
    ),
  );
  stage.world.service = { ...stage.connected, client };
  const digestTwice = async () => {
    await stage.run();
    stage.at(addDays(fridayNine, 1));
    await stage.run();
    return stage.posted();
  };
  return { ...stage, digestTwice };
}

it.each([
  ['is long', longId],
  ['holds a NUL', 'a\0b'],
])("does not report a policy as new each day whose id %s and can't be stored", async (_, id) => {
  const { addDigest, digestTwice } = await startWith(['kept', id]);
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  expect(await digestTwice()).toEqual([]);
});

it('counts such a policy', async () => {
  const { addDigest, digestTwice } = await startWith(['kept', longId]);
  await addDigest({ parts: ['compliance'] });
  const [, second] = await digestTwice();
  expect(textsOf(second?.blocks)[1]).toBe(
    '*Compliance* · 80% of checked volumes compliant (8 of 10) · unchanged',
  );
});

it('reports a new policy once whose id has the maximum length', async () => {
  const { addDigest, remember, digestTwice } = await startWith(['kept', 'x'.repeat(300)]);
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  await remember(() => [{ policy: { id: 'kept', name: 'Gold' }, statistics: {} }]);
  const posted = await digestTwice();
  expect(posted).toHaveLength(1);
  expect(posted[0]?.text).toContain('1 policy added');
});
