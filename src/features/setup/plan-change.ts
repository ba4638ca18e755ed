import { setupChangeAction } from '../../audit-log/registry.ts';
import type { WaitingRequest } from '../../requests/list/list-waiting.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { changedApprovals } from '../../workspace/compare-rules.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import { type CurrentSetup, mayFinish } from '../../workspace/workspace.ts';
import { changesAccess, isAnnounced, requiresApproval } from './compare-setup.ts';
import { findSecondPerson, type SecondPerson } from './find-second-person.ts';
import type { SetupContext } from './setup-context.ts';
import { showsExactly } from './views/format-setup-change.ts';
import { aboutAdminModal } from './views/saved-modal.ts';
import { setupTitle } from './views/setup-modal.ts';

/**
 * What becomes of a change once the admin has confirmed it. `voids`: what it would void. `isSubject`:
 * some of that is, or may be, about the admin. `isAlone`: it would require a second person, and there
 * is none. `isAnnounced`: the change is announced to approvers and admins.
 */
export type Plan = { voids: WaitingRequest[] } & (
  | { kind: 'request'; secondPerson: SecondPerson; isSubject: boolean }
  | { kind: 'save'; isAlone: boolean; isAnnounced: boolean }
);

/**
 * Decides with the people and the requests of this moment, so also again when it is confirmed. A
 * change requires a second person if it weakens a guard, or voids a request, because one person alone must
 * not stop what others wait for or have approved. Other changes of the setup don't count: each save voids
 * them. If there is no second person, a change that voids a request about the admin is refused, and so is
 * one that approvers couldn't see in full. The admin who connected the workspace may finish the setup alone.
 */
export async function planChange(
  change: SetupChange,
  current: CurrentSetup,
  call: Interaction,
  { approvals, clock, ...directories }: SetupContext,
): Promise<Plan | { done: ModalView }> {
  if (!showsExactly(change)) return { done: notShownModal };
  const originId = endedOrigin(change, current);
  const actions = changedApprovals(change.before.access, change.after.access);
  const voids = await approvals.listWaiting(call.teamId, { originId, actions });
  const aboutAdmin = voids.filter(({ isSubject }) => isSubject(call.person) !== 'no');
  const isSubject = aboutAdmin.length > 0;
  const isFree = mayFinish(current, call.person, clock()) && !changesAccess(change);
  const save = { kind: 'save', isAnnounced: !isFree && isAnnounced(change), voids } as const;
  const voidsOthers = voids.some(({ action }) => action !== setupChangeAction);
  if (!voidsOthers && !isSubject && (isFree || !requiresApproval(change))) {
    return { ...save, isAlone: false };
  }
  const secondPerson = await findSecondPerson(current.settings.approvers, call, directories);
  if (secondPerson) return { kind: 'request', secondPerson, isSubject, voids };
  return isSubject ? { done: aboutAdminModal(aboutAdmin) } : { ...save, isAlone: true };
}

const notShownModal = noticeModal(
  setupTitle,
  'Nothing was saved: the change is too long to show to approvers in full. Shorten the changed values, or change fewer of them at once.',
);

/** The origin of the connection that the change replaces or removes. */
function endedOrigin(
  { target, connectionId, isSameTenant }: SetupChange,
  { connection }: CurrentSetup,
): string | undefined {
  const isKept = connectionId === undefined || isSameTenant === true;
  if (target?.kind !== 'remove' && isKept) return undefined;
  return target ? target.originId : connection?.originId;
}
