import { expect, test } from 'vitest';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

test('a request in a direct message is refused before its form opens, with what to do', async () => {
  const { ana } = world();
  await ana.send('Belay', '/belay disable joana.prado@example.com');
  const answer = await ana.seeMessage("approvers can't see a request in a direct message");
  expect(answer.text).toContain('Run the command in a channel with your approvers');
  expect(ana.snapshot().views).toEqual([]);
  expect(world().service.requests).toEqual([]);
});
