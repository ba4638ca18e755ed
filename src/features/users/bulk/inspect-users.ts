import { cacheReads } from '../../../dataprotection/client.ts';
import type { User } from '../../../dataprotection/resources/users.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import type { PreparedAction } from '../../../requests/define-action.ts';
import type { PreparedSubject } from '../../../requests/several/inspect-subjects.ts';
import type { Interaction } from '../../../slack/interactions/interaction.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import { prepareAction } from '../submit-request.ts';
import { userMrkdwn } from '../views/format-user.ts';
import type { BulkVerb } from '../views/ids.ts';
import { type LeftOut, resolveUsers } from './resolve-users.ts';

/** Longer ids leave too little room for fifty in a form. */
const maxIdLength = 60;

type InspectedUsers = {
  /** The users who can be requested together, in the order in which they were typed. */
  users: User[];
  subjects: PreparedSubject[];
  /** The action on all of them; undefined if there are none. */
  prepared: PreparedAction | undefined;
  leftOut: LeftOut[];
  /** Why all of them are too many, mrkdwn. */
  excess: string | undefined;
};

/** Reads the users with these addresses and ids, and finds out who can't be in a request, and why. */
export async function inspectUsers(
  call: Pick<Interaction, 'teamId' | 'person' | 'service' | 'settings'>,
  verb: BulkVerb,
  typed: string[],
  approvals: Approvals,
): Promise<InspectedUsers> {
  const { teamId, person: requester } = call;
  const [opened, settings] = await Promise.all([call.service(), call.settings()]);
  const client = cacheReads(opened.client);
  const service = { ...opened, client };
  const { users: found, leftOut } = await resolveUsers(client, typed);
  const graceMinutes = settings.deleteGraceMinutes;
  const changing = found.filter((user) => {
    const why = problemWith(verb, user);
    if (why !== undefined) leftOut.push({ who: userMrkdwn(user), why });
    return why === undefined;
  });
  const byId = new Map(changing.map((user) => [user.id, user]));
  const each = changing.map((user) =>
    prepareAction({ verb }, user, service, { newFullName: '', graceMinutes }),
  );
  const { prepared, excess, ...inspected } = await approvals.inspectSubjects({
    teamId,
    requester,
    settings,
    prepared: each,
  });
  const users: User[] = [];
  const subjects: PreparedSubject[] = [];
  for (const subject of inspected.subjects) {
    const user = byId.get(subject.prepared.action.subjectId);
    if (!user) continue;
    if ('why' in subject) {
      leftOut.push({ who: userMrkdwn(user), why: subject.why });
      continue;
    }
    users.push(user);
    subjects.push(subject);
  }
  return { users, subjects, prepared, leftOut, excess };
}

function problemWith(verb: BulkVerb, { id, isEnabled }: User): string | undefined {
  if (verb === 'disable' && isEnabled === false) return 'Already disabled.';
  if (verb === 'enable' && isEnabled === true) return 'Already enabled.';
  if (id.length <= maxIdLength) return undefined;
  return `The ID ${code(id, 60)} is too long for a bulk request.`;
}
