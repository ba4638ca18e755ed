import { recordSettingsChange } from '../../../postings/home/store/home-store.ts';
import {
  createNameConnections,
  createRepublishPending,
} from '../../../requests/store/republish-pending.ts';
import type { TransactionHooks } from '../../../requests/store/transaction-hooks.ts';
import { createVoidSetupChanges, createVoidWaiting } from '../../../requests/store/void-waiting.ts';
import { createEndWithConnection } from '../../../subscriptions/end-with-connection.ts';
import type { SetupHandlers } from '../../../workspace/store/save-setup.ts';
import { forgetAlerts } from '../../alerts/index.ts';
import { digestFamily } from '../../digests/index.ts';
import { drillFamily } from '../../drills/index.ts';
import { muteFamily, pollAtOnce, watchFamily } from '../../watches/index.ts';

/** What else happens when a setup is saved, however it is saved. */
export function createSetupHandlers(hooks: TransactionHooks): SetupHandlers {
  const families = [watchFamily, muteFamily, digestFamily, drillFamily];
  const endWithConnection = createEndWithConnection(families);
  const nameConnections = createNameConnections(hooks);
  const voidSetupChanges = createVoidSetupChanges(hooks);
  return {
    append: hooks.append,
    onConnectionReplaced: createVoidWaiting(hooks),
    onConnectionsChanged: async (trx, change) => {
      await nameConnections(trx, change.teamId);
      await pollAtOnce(trx, change);
    },
    onConnectionRemoved: async (trx, connection) => {
      await forgetAlerts(trx, connection);
      await endWithConnection(trx, connection);
    },
    onSetupSaved: async (trx, change) => {
      await recordSettingsChange(trx, change);
      return voidSetupChanges(trx, change);
    },
    onApproversChanged: createRepublishPending(hooks),
  };
}
