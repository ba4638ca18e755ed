import { ExplainedError } from '../explained-error.ts';
import type { Person } from '../slack/api/person.ts';
import { mention } from '../slack/ui/mrkdwn.ts';
import { isUserGroup } from './members.ts';
import { approversInRules, ruleOf } from './rules.ts';
import { namedIds, type WorkspaceSettings } from './settings/document.ts';

/** What rights rest on beside the person. */
export type NamedPeople = Pick<WorkspaceSettings, 'approvers' | 'access'>;

/** A right rests on a user group, and Slack didn't return its members. */
export class GroupUnreadError extends ExplainedError {
  override name = 'GroupUnreadError';
  readonly groupId: string;

  constructor(groupId: string) {
    super(
      'the members of a user group are not known',
      `Slack didn't return the members of ${mention(groupId)}. Nothing was changed. Try again in a minute.`,
    );
    this.groupId = groupId;
  }
}

/**
 * Whether the person is one of these people, or in one of these groups.
 * @throws GroupUnreadError if that depends on a group whose members are not known
 */
function isAmong({ slackUserId, standing }: Person, ids: readonly string[]): boolean {
  if (ids.includes(slackUserId) || standing?.groups.some((id) => ids.includes(id))) return true;
  const unread = ids.find(
    (id) => isUserGroup(id) && (!standing || standing.unreadGroups.includes(id)),
  );
  if (unread !== undefined) throw new GroupUnreadError(unread);
  return false;
}

/** Admins of the Slack workspace, and those who are admins of Belay by their role. */
export function isAdmin(person: Person): boolean {
  if (person.membership !== 'member') return false;
  return person.isAdmin || isAmong(person, person.standing?.admins ?? []);
}

/** Whether the person is an approver: one that setup names or, if it names none, an admin. */
export function mayDecide(person: Person, approvers: string[]): boolean {
  if (person.membership !== 'member') return false;
  return approvers.length > 0 ? isAmong(person, approvers) : isAdmin(person);
}

/** Whether the person is an approver: one that setup names, an admin if it names none, or one by a rule. */
export function isApprover(person: Person, { approvers, access }: NamedPeople): boolean {
  const ruled = approversInRules(access.rules);
  return mayDecide(person, approvers) || (ruled.length > 0 && mayDecide(person, ruled));
}

/** Whether the person may use Belay: every full member, or only those with a role. */
export function mayView(person: Person, settings: NamedPeople): boolean {
  if (person.membership !== 'member') return false;
  const isOpen = settings.access.roles.viewers.length === 0;
  return isOpen || person.isAdmin || isAmong(person, namedIds(settings));
}

/** Whether the person may request an action whose rule names no requesters. */
export function mayRequest(person: Person, settings: NamedPeople): boolean {
  const { operators } = settings.access.roles;
  if (person.membership !== 'member') return false;
  return operators.length === 0 ? mayView(person, settings) : isAmong(person, operators);
}

/** The same for one action: the people that its rule names or, if it names nobody, the operators. */
export function mayRequestAction(person: Person, settings: NamedPeople, action: string): boolean {
  if (person.membership !== 'member') return false;
  const { requesters } = ruleOf(settings.access.rules, action);
  return requesters.length > 0 ? isAmong(person, requesters) : mayRequest(person, settings);
}

/**
 * Whether to show this person the buttons and fields for an action. Also if a group can't be read: the
 * request then says so.
 */
export function offersAction(person: Person, settings: NamedPeople, action: string): boolean {
  try {
    const { breakGlass } = ruleOf(settings.access.rules, action);
    return mayRequestAction(person, settings, action) || isAmong(person, breakGlass);
  } catch (error) {
    if (error instanceof GroupUnreadError) return true;
    throw error;
  }
}

/** Whether the person may read the audit log: the auditors and admins, or approvers and admins. */
export function mayAudit(person: Person, { approvers, access }: NamedPeople): boolean {
  const { auditors, admins } = access.roles;
  if (person.membership !== 'member') return false;
  const named = auditors.length > 0 ? auditors : approvers;
  return person.isAdmin || isAmong(person, [...named, ...admins]);
}

/** Admins count even if setup names approvers. */
export function isApproverOrAdmin(
  person: Person,
  { approvers }: Pick<NamedPeople, 'approvers'>,
): boolean {
  if (person.membership !== 'member') return false;
  return person.isAdmin || isAmong(person, [...approvers, ...(person.standing?.admins ?? [])]);
}

/**
 * Whether the person may change and end a watch or a digest. The creator's right rests on no
 * group. @throws GroupUnreadError
 */
export function mayChange(
  { createdBy }: { createdBy: string },
  person: Person,
  settings: Pick<NamedPeople, 'approvers'>,
): boolean {
  return createdBy === person.slackUserId || isApproverOrAdmin(person, settings);
}

/**
 * The same rights for what is only shown: one that isn't known, because Slack didn't return the members
 * of a group, counts as not given. Actions are refused as long as it isn't known.
 */
export const shownRights = {
  isAdmin: orNot(isAdmin),
  mayDecide: orNot(mayDecide),
  isApprover: orNot(isApprover),
  mayAudit: orNot(mayAudit),
  isApproverOrAdmin: orNot(isApproverOrAdmin),
  mayChange: orNot(mayChange),
};

function orNot<Input extends unknown[]>(
  mayDo: (...input: Input) => boolean,
): (...input: Input) => boolean {
  return (...input) => {
    try {
      return mayDo(...input);
    } catch (error) {
      if (error instanceof GroupUnreadError) return false;
      throw error;
    }
  };
}
