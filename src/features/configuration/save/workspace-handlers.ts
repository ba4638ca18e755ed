import type { AppendEntry } from '../../../audit-log/append.ts';
import type { SetupHandlers } from '../../../workspace/store/save-setup.ts';
import type { TokenCipher } from '../../../workspace/store/token-cipher.ts';
import { toApprovedPlan } from '../plan/stored-plan.ts';
import { savePlans } from './save-configuration.ts';
import { createSetupHandlers, type SetupHooks } from './setup-handlers.ts';

/** What else happens when a setup is saved in Slack, approved configuration files included. */
export function createWorkspaceHandlers(
  append: AppendEntry,
  { cipher, ...hooks }: SetupHooks & { cipher: TokenCipher },
): SetupHandlers {
  return {
    ...createSetupHandlers(append, hooks),
    async onConfigurationApproved(trx, { teamId, plan, tokens, by, approval, at }) {
      const approved = toApprovedPlan(teamId, plan, tokens);
      await savePlans(trx, [approved], { by, approval, at }, { cipher, append, ...hooks });
    },
  };
}
