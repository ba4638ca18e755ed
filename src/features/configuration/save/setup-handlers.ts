import type { AppendEntry } from '../../../audit-log/append.ts';
import {
  createNameConnections,
  createRepublishPending,
  createVoidSetupChanges,
  createVoidWaiting,
  type TransactionHooks,
} from '../../approvals/index.ts';
import { digestFamily } from '../../digests/index.ts';
import { recordSettingsChange } from '../../home/index.ts';
import { pollAtOnce, watchFamily } from '../../watches/index.ts';
import {
  createEndWithConnection,
  dropEndedChange,
  type SetupHandlers,
} from '../../workspaces/index.ts';

export type SetupHooks = {
  onChanged: TransactionHooks['onChanged'];
  onEnded?: TransactionHooks['onEnded'];
};

/** What else happens when a setup is saved, however it is saved. */
export function createSetupHandlers(
  append: AppendEntry,
  { onChanged, onEnded = dropEndedChange }: SetupHooks,
): SetupHandlers {
  const hooks: TransactionHooks = { append, onChanged, onEnded };
  const nameConnections = createNameConnections(hooks);
  const voidSetupChanges = createVoidSetupChanges(hooks);
  return {
    append,
    onConnectionReplaced: createVoidWaiting(hooks),
    onConnectionsChanged: async (trx, change) => {
      await nameConnections(trx, change.teamId);
      await pollAtOnce(trx, change);
    },
    onConnectionRemoved: createEndWithConnection({
      watches: watchFamily,
      digests: digestFamily,
    }),
    onSetupSaved: async (trx, change) => {
      await recordSettingsChange(trx, change);
      return voidSetupChanges(trx, change);
    },
    onApproversChanged: createRepublishPending(hooks),
  };
}
