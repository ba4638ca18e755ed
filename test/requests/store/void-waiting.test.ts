import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createVoidWaiting } from '../../../src/requests/store/void-waiting.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import {
  decideAs,
  eightPm,
  logKeys,
  newSetup,
  onePm,
  openApprovalStore,
  pendingRequest,
} from './rows.ts';

it('voids what a step scheduled while its connection was replaced, with the next replacement', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const append = createAppendEntry(logKeys);
  const hooks = { append, onChanged: async () => undefined, onEnded: async () => undefined };
  const workspaces = createWorkspaceStore(db, createTokenCipher([randomBytes(32)]), {
    append,
    isServed: serveAll,
    onConnectionReplaced: createVoidWaiting(hooks),
    onConnectionRemoved: async () => undefined,
    onConnectionsChanged: async () => undefined,
    onSetupSaved: async () => [],
    onApproversChanged: async () => undefined,
  });
  const { store } = openApprovalStore(db);
  const setup = newSetup();
  const { teamId } = setup;
  const originId = setup.connection?.id ?? '';
  const replace = () => workspaces.saveSetup(newSetup({ teamId, at: onePm }));
  await workspaces.saveSetup(setup);
  const { id } = await pendingRequest(db, store, { teamId, connectionId: originId });
  const ref = { teamId, id };
  const by = { by: 'U_BEN', mailboxHash: 'U_BEN' };
  await decideAs(store, { ...ref, ...by, to: 'approved', at: onePm });
  await store.begin({ ...ref, lease: { holder: 'one', until: eightPm }, at: onePm });
  expect(await replace()).toMatchObject({ voided: [] });
  const next = { to: 'scheduled', step: 'delete', outcome: '', wakeAt: eightPm } as const;
  await store.finish({ ...ref, ...next, at: onePm, holder: 'one' });

  // The form of the setup lists what the replacement voids.
  expect(await store.listLost({ teamId, originId }, { after: undefined, limit: 10 })).toMatchObject(
    [{ id, state: 'scheduled' }],
  );
  expect(await replace()).toMatchObject({ voided: [ref] });
  expect(await store.find(ref)).toMatchObject({
    state: 'voided',
    runs: [
      {
        state: 'voided',
        wakeAt: undefined,
        outcome: 'The connection to the service was changed in setup.',
      },
    ],
  });
});
