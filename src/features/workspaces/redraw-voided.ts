import type { Logger } from '../../logger.ts';
import type { ApprovalsToRedraw } from './workspace-store.ts';

/**
 * Shows requests that a new connection has voided as such, one at a time to spare Slack. The setup
 * is saved by then, so what cannot be redrawn is logged and no failure of it.
 */
export async function redrawVoided(
  voided: ApprovalsToRedraw,
  given: { redrawApproval: (ref: { teamId: string; id: string }) => Promise<void>; log: Logger },
): Promise<void> {
  for (const ref of voided) {
    try {
      await given.redrawApproval(ref);
    } catch (error) {
      given.log.error({ approvalId: ref.id, err: error }, 'a voided request could not be redrawn');
    }
  }
}
