import { describe, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { ask, heardBack, seeAgain } from '../../support/ask.ts';
import { requestReviewed } from '../../support/rules.ts';
import { changeSetup, reviewSetup, tokenElsewhere } from '../../support/set-up.ts';

const kim = '/belay disable kim.lee@example.com';

describe.each(['documented', 'live'] as const)('in the %s dialect', (dialect) => {
  const { world, db } = shareWorldWithDatabase({ dialect });

  const inUse = () =>
    db()
      .selectFrom('connection')
      .select('id')
      .where('replaced_at', 'is', null)
      .executeTakeFirstOrThrow();

  test('a new token of the same tenant keeps the connection and what waits', async () => {
    const { ana, ben, cleo, portal, service } = world();
    const before = await inUse();
    const request = await ask(ana, kim);
    const token = service.issueToken(portal.id);
    const saved = await changeSetup(cleo, { token });
    const shown = JSON.stringify(saved.blocks);
    expect(shown).toContain('The API token was replaced.');
    expect(shown).not.toContain('voided');
    await cleo.close(saved);
    expect(await inUse()).toEqual(before);

    service.revokeToken(portal.id, portal.token);
    await ben.press(await seeAgain(ben, request, 'Waiting for approval.'), 'Approve');
    await seeAgain(ben, request, 'is disabled.');
    await heardBack(ana);
    const { headers } = service.requests.at(-1) ?? {};
    expect(headers?.authorization).toBe(`Bearer ${token}`);
    const entry = await db()
      .selectFrom('audit_log')
      .select(['event', 'actor', 'facts'])
      .where('event', '=', 'token_replaced')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: people.cleo, facts: { connectionId: before.id } });
  });

  test('also if the service refuses the stored token by now', async () => {
    const { cleo, portal, service } = world();
    const before = await inUse();
    const [first, second] = [service.issueToken(portal.id), service.issueToken(portal.id)];
    await cleo.close(await changeSetup(cleo, { token: first }));
    service.revokeToken(portal.id, first);
    await cleo.close(await changeSetup(cleo, { token: second }));
    expect(await inUse()).toEqual(before);
  });

  test('a token of another tenant voids nothing until a second person has approved it', async () => {
    const { ana, ben, cleo } = world();
    const before = await inUse();
    const email = 'joana.prado@example.com';
    const deletion = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
    await ben.press(deletion, 'Approve');
    await seeAgain(ben, deletion, 'Scheduled');
    const request = await ask(ana, kim);

    const review = await reviewSetup(cleo, { token: tokenElsewhere(world()) });
    const shown = JSON.stringify(review.blocks);
    expect(shown).toContain('A second person must approve');
    expect(shown).toContain('not confirmed to be the same tenant');
    expect(shown).toContain('2 pending or scheduled requests');
    const change = await requestReviewed(cleo, ben);
    expect(await inUse()).toEqual(before);
    await seeAgain(ben, deletion, 'Scheduled');
    await seeAgain(ben, request, 'Waiting for approval.');

    await ben.press(change, 'Approve');
    await seeAgain(ana, request, 'Voided');
    await seeAgain(ana, deletion, 'Voided');
    await heardBack(ana, 2);
    expect(await inUse()).not.toEqual(before);
  });
});
