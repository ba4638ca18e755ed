import { describe, expect, it } from 'vitest';
import { createPolicyCatalog } from '../../../src/features/policies/store/policy-catalog.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { shareWorld } from '../../support/world.ts';
import { rowsOf, textsOf } from '../message-parts.ts';

describe('a service that lists no policies', () => {
  const world = shareWorld({ service: { listsPolicies: false } });
  const idOf = (name: string) =>
    world()
      .service.policies(world().portal.id)
      .find((policy) => policy.name === name)?.id ?? '';

  it('adds and removes policies of the list', async () => {
    const { ana, gus } = world();
    await ana.send('ops', '/belay policies');
    await ana.seeMessage('No policies yet.');
    await ana.send('ops', `/belay policies add ${idOf('Gold')} Gold & <!channel>`);
    await ana.seeMessage('Added policy *Gold &amp; &lt;!channel&gt;*');
    await ana.send('ops', `/belay policies ADD ${idOf('Mailboxes')}`);
    await ana.seeMessage(`Added policy \`${idOf('Mailboxes')}\``);
    await ana.send('ops', '/belay policies');
    const list = await ana.seeMessage('Policies · 2');
    expect(rowsOf(list.blocks)).toContainEqual([
      ...['Gold & <!channel>', idOf('Gold')],
      ...[expect.stringMatching(/^\d+%/), 'added with /belay policies add'],
    ]);
    await gus.send('ops', `/belay policies remove ${idOf('Mailboxes')}`);
    await gus.seeMessage("Guests of this workspace can't use Belay.");
    await ana.send('ops', `/belay policies remove ${idOf('Mailboxes')}`);
    await ana.seeMessage(`Removed policy \`${idOf('Mailboxes')}\``);
    await ana.send('ops', `/belay policies remove ${idOf('Mailboxes')}`);
    await ana.seeMessage('Nothing was changed.');
    await ana.send('ops', `/belay policies remove ${idOf('Gold')}`);
    await ana.seeMessage(`Removed policy \`${idOf('Gold')}\``);
  });

  it('knows the policies that alerts name', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay alerts type:policy_violated');
    await ana.seeMessage('Active alerts');
    await ana.send('ops', '/belay policies');
    const list = await ana.seeMessage('Policies · ');
    const known = rowsOf(list.blocks).map(([name, id, , source]) => [name, id, source]);
    expect(known).toContainEqual(['Bronze', idOf('Bronze'), 'named in an alert']);
  });

  it('shows what is known of a policy, and why no more', async () => {
    const { ana } = world();
    await ana.send('ops', `/belay policy ${idOf('Silver')}`);
    const card = await ana.seeMessage("This service doesn't return policy definitions");
    expect(textsOf(card.blocks)).toContain(`*Policy ID*\n\`${idOf('Silver')}\``);
    expect(card.text).toMatch(/Compliance: \d+% of/);
    await ana.send('ops', '/belay policy no such policy');
    await ana.seeMessage('No policy has the name or ID “no such policy”.');
  });

  it('refuses ids and names that are too long', async () => {
    const { ana } = world();
    await ana.send('ops', `/belay policies add ${'x'.repeat(301)}`);
    await ana.seeMessage('At most 300 characters for the ID');
  });
});

describe('a list with 1,000 policies', () => {
  const { world, db } = shareWorldWithDatabase({ service: { listsPolicies: false } });

  it('has no room for another one', async () => {
    const { ana } = world();
    const of = await db()
      .selectFrom('connection')
      .select(['team_id', 'id'])
      .executeTakeFirstOrThrow();
    await createPolicyCatalog(db()).remember({
      teamId: of.team_id,
      connectionId: of.id,
      policies: Array.from({ length: 1000 }, (_, index) => ({ id: `known-${index}` })),
      source: 'alert',
      at: new Date(),
    });
    await ana.send('ops', '/belay policies add p-1 Gold');
    await ana.seeMessage('Nothing was added: the list of this connection is full.');
    await ana.send('ops', '/belay policies add known-7 Gold');
    await ana.seeMessage('Added policy *Gold*');
  });
});

describe('a service that lists its policies', () => {
  const world = shareWorld();

  it('needs none to be added', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policies add p-1 Gold');
    await ana.seeMessage("This service lists its policies, so you don't need to add any.");
  });
});
