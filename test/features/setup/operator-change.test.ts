import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { openSettings } from '../../support/set-up.ts';

const { world, db } = shareWorldWithDatabase();

test('the running Belay announces what the operator changed from the command line', async () => {
  const { ben, cleo, env, workspace, slack } = world();
  const keys = [Buffer.from(env.BELAY_ENCRYPTION_KEYS ?? '', 'base64')];
  const store = createWorkspaceStore(db(), createTokenCipher(keys), {
    append: createAppendEntry(keys),
    isServed: serveAll,
    onConnectionReplaced: async () => [],
    onConnectionRemoved: async () => undefined,
    onSetupSaved: async () => [],
    onApproversChanged: async () => undefined,
    onConnectionsChanged: async () => undefined,
  });
  // The first attempts find a Slack that fails.
  slack.failNext('users.list', 'internal_error');
  const { teamId } = workspace;
  const by = { personal: { by: 'Rita Sousa' } };
  await store.saveByOperator({ teamId, approvers: [people.ana], at: new Date(), by });
  await expect
    .poll(() => world().logged.join(''))
    .toContain('a setup change could not be announced yet');
  await db().updateTable('setup_change').set({ announce_at: new Date() }).execute();
  for (const person of [world().ana, ben, cleo]) {
    const { text } = await person.seeMessage('A Belay administrator changed the setup');
    expect(text).toContain(`*Approvers*: <@${people.ben}> → <@${people.ana}>`);
  }
  const settings = await openSettings(cleo);
  expect(JSON.stringify(settings.blocks)).toContain(`*Approvers*\\n<@${people.ana}>`);
  await cleo.close(settings);
  await cleo.send('ops', '/belay audit');
  await cleo.seeMessage('Rita Sousa (command line) *changed the approvers*');
});
