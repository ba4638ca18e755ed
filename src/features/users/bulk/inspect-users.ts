import { cacheReads } from '../../../dataprotection/client.ts';
import type { User } from '../../../dataprotection/resources/users.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import type { PreparedChild } from '../../../requests/bulk/inspect-subjects.ts';
import type { PreparedAction } from '../../../requests/define-action.ts';
import type { Person } from '../../../slack/api/person.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import type { Service } from '../../../workspace/open-service.ts';
import type { WorkspaceSettings } from '../../../workspace/workspace.ts';
import { prepareAction } from '../submit-request.ts';
import { userMrkdwn } from '../views/format-user.ts';
import { type BulkVerb, bulkActionNames } from '../views/ids.ts';
import { bulkActions } from './bulk-actions.ts';
import { type LeftOut, resolveUsers } from './resolve-users.ts';

/** Longer ids leave too little room for fifty in a form. */
const maxIdLength = 60;

type InspectedUsers = {
  /** The users who can be requested together, in the order in which they were typed. */
  users: User[];
  children: PreparedChild[];
  leftOut: LeftOut[];
  /** Why all of them are too many, mrkdwn. */
  excess: string | undefined;
};

/** Reads the users with these addresses and ids, and finds out who can't be in a request, and why. */
export async function inspectUsers(
  {
    verb,
    typed,
    ...from
  }: {
    verb: BulkVerb;
    typed: string[];
    teamId: string;
    person: Person;
    service: Service;
    settings: WorkspaceSettings;
  },
  approvals: Approvals,
): Promise<InspectedUsers> {
  const { teamId, person, settings } = from;
  const client = cacheReads(from.service.client);
  const service = { ...from.service, client };
  const { users: found, leftOut } = await resolveUsers(client, typed);
  const graceMinutes = settings.deleteGraceMinutes;
  const changing = found.filter((user) => {
    const why = problemWith(verb, user);
    if (why !== undefined) leftOut.push({ who: userMrkdwn(user), why });
    return why === undefined;
  });
  const byId = new Map(changing.map((user) => [user.id, user]));
  const prepared = changing.map((user) =>
    prepareAction({ verb }, user, service, { newFullName: '', graceMinutes }),
  );
  const requester = person;
  const { subjects, excess } = await approvals.inspectSubjects({
    teamId,
    requester,
    settings,
    prepared,
  });
  const users: User[] = [];
  const children: PreparedChild[] = [];
  for (const subject of subjects) {
    const user = byId.get(subject.prepared.action.subjectId);
    if (!user) continue;
    if ('why' in subject) {
      leftOut.push({ who: userMrkdwn(user), why: subject.why });
      continue;
    }
    users.push(user);
    children.push(subject);
  }
  return { users, children, leftOut, excess };
}

/** The request about all of them, which is posted and decided. */
export function prepareBulk(
  verb: BulkVerb,
  { users, children }: Pick<InspectedUsers, 'users' | 'children'>,
  service: Service,
  graceMinutes: number,
): PreparedAction {
  const payload = {
    count: users.length,
    users: users.map(({ id, fullName, email, lastActivityTimestamp: lastActivity }) => ({
      id,
      fullName,
      email,
      lastActivity,
    })),
    ...(verb === 'delete' && { graceMinutes }),
  };
  const checked = users.map((user, index) => ({ user, checks: children[index]?.checks ?? [] }));
  return bulkActions[bulkActionNames[verb]].prepare(payload, checked, service);
}

function problemWith(verb: BulkVerb, { id, isEnabled }: User): string | undefined {
  if (verb === 'disable' && isEnabled === false) return 'Already disabled.';
  if (verb === 'enable' && isEnabled === true) return 'Already enabled.';
  if (id.length <= maxIdLength) return undefined;
  return `The ID ${code(id, 60)} is too long for a bulk request.`;
}
