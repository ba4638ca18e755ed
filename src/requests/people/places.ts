import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { mayDecide } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { samePersonRefusal } from '../guards.ts';

/** `shownRights` for what is only shown. */
type Rights = { mayDecide: typeof mayDecide };

/**
 * In whose place the person may decide now, according to `deciders`: their own first, then that of each
 * approver they stand in for. @throws GroupUnreadError
 */
export function placesOf(
  person: Person,
  deciders: string[],
  settings: Pick<WorkspaceSettings, 'approvers'>,
  rights: Rights = { mayDecide },
): Person[] {
  return standingsOf(person, deciders, settings).filter((place) =>
    rights.mayDecide(place, deciders),
  );
}

/** The person and the approvers they stand in for now, whether or not these may decide. */
export function standingsOf(
  person: Person,
  deciders: string[],
  { approvers }: Pick<WorkspaceSettings, 'approvers'>,
): Person[] {
  // If admins decide because no approver is active, stand-ins don't apply.
  const isForAdmins = deciders.length === 0 && approvers.length > 0;
  const standsInFor = person.membership === 'member' && !isForAdmins ? person.standsInFor : [];
  return [person, ...(standsInFor ?? [])];
}

/**
 * Whether somebody in this place takes part in the request: a stand-in decides nothing that the approver
 * couldn't decide. `requester`: read, if the decision depends on it; else only the account is compared.
 */
export function canTakePart(
  place: Person,
  { requester: by }: Pick<Approval, 'requester'>,
  action: Pick<Action, 'isSubject'>,
  requester?: Person,
): boolean {
  if (place.slackUserId === by) return false;
  // Erased: the personal text of an old run without approval may be.
  if (!['no', 'erased'].includes(action.isSubject(place))) return false;
  return requester === undefined || samePersonRefusal(requester, place) === undefined;
}

/** Why nobody decides in the places of these approvers: mrkdwn. */
export function excludedRefusal(approvers: readonly Person[]): string {
  const who = approvers.map(({ slackUserId }) => mention(slackUserId)).join(', ');
  return `You stand in for ${who}, who can't take part in this decision.`;
}
