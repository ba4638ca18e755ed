import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createSetupHandlers } from '../../../src/features/configuration/save/setup-handlers.ts';
import { createApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { createRepublishPending } from '../../../src/requests/store/republish-pending.ts';
import { createStandInStore } from '../../../src/workspace/access/store/stand-in-store.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { openAnyDatabase, postgresUrl } from '../../support/databases.ts';
import { waitForLock } from '../../support/wait-for-lock.ts';
import { decideAs, insertConnection, logKeys, newSetup, onePm, pendingRequest } from './rows.ts';

// Only PostgreSQL runs two transactions at once.
it.skipIf(!postgresUrl)(
  'a save that replaces a connection and changes rules waits for an approval, without a deadlock',
  async () => {
    const { db, close } = await openAnyDatabase();
    onTestFinished(close);
    const append = createAppendEntry(logKeys);
    const approving = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const onEnded = async () => undefined;
    const onChanged = async () => undefined;
    const workspaces = createWorkspaceStore(db, createTokenCipher([randomBytes(32)]), {
      ...createSetupHandlers({ append, onChanged, onEnded }),
      isServed: serveAll,
    });
    const store = createApprovalStore(db, { append, onChanged, onEnded }, serveAll);
    const slowStore = createApprovalStore(
      db,
      {
        append,
        onEnded,
        async onChanged() {
          approving.resolve();
          await proceed.promise;
        },
      },
      serveAll,
    );

    const setup = newSetup();
    const { teamId, settings } = setup;
    await workspaces.saveSetup(setup);
    const second = await insertConnection(db, teamId, { name: 'second', is_default: false });
    const replaced = await pendingRequest(db, store, {
      teamId,
      connectionId: setup.connection?.id ?? '',
    });
    const { id } = await pendingRequest(db, store, { teamId, connectionId: second });

    const by = { by: 'U_BEN', mailboxHash: 'U_BEN' };
    const approved = decideAs(slowStore, { teamId, id, ...by, to: 'approved', at: onePm });
    await approving.promise;
    const approvals = [{ from: ['S1'], count: 1 }];
    const rules = { 'users.disable': { ...defaultRule, approvals } };
    const saved = workspaces.saveSetup(
      newSetup({
        teamId,
        at: onePm,
        settings: { ...settings, access: { ...settings.access, rules } },
      }),
    );
    await waitForLock(db);
    proceed.resolve();
    expect(await approved).toMatchObject({ state: 'approved' });
    expect(await saved).toMatchObject({ voided: [{ id: replaced.id }] });
  },
);

it.skipIf(!postgresUrl)(
  'naming a stand-in waits for a save that voids a request and changes the approvers',
  async () => {
    const { db, close } = await openAnyDatabase();
    onTestFinished(close);
    const append = createAppendEntry(logKeys);
    const voiding = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const onEnded = async () => undefined;
    const onChanged = async () => undefined;
    const workspaces = createWorkspaceStore(db, createTokenCipher([randomBytes(32)]), {
      ...createSetupHandlers({
        append,
        onEnded,
        async onChanged() {
          voiding.resolve();
          await proceed.promise;
        },
      }),
      isServed: serveAll,
    });
    const store = createApprovalStore(db, { append, onChanged, onEnded }, serveAll);
    const standIns = createStandInStore(db, {
      append,
      onStandInsChanged: createRepublishPending({ onChanged }),
    });

    const setup = newSetup();
    const { teamId, settings } = setup;
    await workspaces.saveSetup(setup);
    const on = { teamId, connectionId: setup.connection?.id ?? '' };
    await pendingRequest(db, store, { ...on, action: 'users.rename' });
    const { id } = await pendingRequest(db, store, on);
    const approvals = [{ from: ['S1'], count: 1 }];
    const access = {
      ...settings.access,
      rules: { 'users.disable': { ...defaultRule, approvals } },
    };
    const saved = workspaces.saveSetup(
      newSetup({
        teamId,
        at: onePm,
        connection: undefined,
        settings: { ...settings, access, approvers: ['U_BEN'] },
      }),
    );
    await voiding.promise;
    const named = standIns.name({
      teamId,
      approver: 'U_BEN',
      standIn: 'U_ANA',
      at: onePm,
      notices: () => [],
      endsAt: new Date(onePm.getTime() + 3_600_000),
    });
    await waitForLock(db);
    proceed.resolve();
    expect(await saved).toMatchObject({ voided: [{ id }] });
    await named;
  },
);
