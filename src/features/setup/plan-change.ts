import { z } from 'zod';
import { setupChangeAction } from '../../audit-log/registry.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import type { Interaction } from '../../slack/listeners/interaction.ts';
import type { Approvals, WaitingRequest } from '../approvals/index.ts';
import type { CurrentSetup, SetupChange } from '../workspaces/index.ts';
import { isWeakening } from './compare-setup.ts';
import { findSecondPerson, type SecondPerson } from './find-second-person.ts';

/** What becomes of a change once the admin has confirmed it. `voids`: what it would void. */
export type Plan = { voids: WaitingRequest[] } & (
  | { kind: 'request'; secondPerson: SecondPerson }
  /** `isAlone`: it would take a second person, and there is none. */
  | { kind: 'save'; isAlone: boolean }
);

export const confirmMetadata = z.object({
  channelId: z.string().optional(),
  changeId: z.uuid(),
  isUnitChoice: z.boolean(),
  kind: z.enum(['request', 'save']),
  /** How many requests the form said would be voided. */
  voids: z.int(),
});
export type ConfirmMetadata = z.infer<typeof confirmMetadata>;

export type PlanDependencies = {
  approvals: Pick<Approvals, 'listWaiting'>;
  adminDirectory: AdminDirectory;
};

/** Judged with the people and the requests of this moment, so also again when it is confirmed. */
export async function planChange(
  change: SetupChange,
  { current, isUnitChoice }: { current: CurrentSetup; isUnitChoice: boolean },
  call: Interaction,
  { approvals, adminDirectory }: PlanDependencies,
): Promise<Plan> {
  const lost = change.connectionId === undefined ? setupChangeAction : undefined;
  const voids = await approvals.listWaiting(call.teamId, lost);
  if (!isWeakening(change, { revision: current.revision, isUnitChoice })) {
    return { kind: 'save', isAlone: false, voids };
  }
  const { approvers } = current.settings;
  const secondPerson = await findSecondPerson(approvers, call, adminDirectory);
  return secondPerson
    ? { kind: 'request', secondPerson, voids }
    : { kind: 'save', isAlone: true, voids };
}
