import type { ActionEntries } from '../../requests/define-action.ts';
import { drillActions } from '../drills/index.ts';
import { policyActions } from '../policies/index.ts';
import { restoreActions } from '../restores/index.ts';
import { setupActions } from '../setup/index.ts';
import { invitationActions, userActions } from '../users/index.ts';

/** Every action that needs approval. One that the registry names and that is missing here doesn't compile. */
export const approvableActions: ActionEntries = {
  ...userActions,
  ...invitationActions,
  ...setupActions,
  ...policyActions,
  ...restoreActions,
  ...drillActions,
};
