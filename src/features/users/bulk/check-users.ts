import { cacheReads, type ServiceClient } from '../../../dataprotection/client.ts';
import type { User } from '../../../dataprotection/resources/users.ts';
import { describeFailure } from '../../../describe-failure.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import type { PreparedSubject } from '../../../requests/several/inspect-subjects.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { type Interaction, Refusal } from '../../../slack/interactions/interaction.ts';
import type { FormErrors } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { code, mention } from '../../../slack/ui/mrkdwn.ts';
import { newReference } from '../../../tracing.ts';
import { readById } from '../find-users.ts';
import { prepareAction } from '../submit-request.ts';
import {
  type BulkForm,
  type EnteredUsers,
  enterUsersModal,
  requestUsersModal,
} from '../views/bulk-modal.ts';
import { userMrkdwn } from '../views/format-user.ts';
import type { BulkVerb } from '../views/ids.ts';
import { type LeftOut, resolveUsers, splitUserList } from './resolve-users.ts';
import { maxBulkUsers } from './several-users.ts';

/** Errors that keep the form open. */
export function checkEntered(entered: EnteredUsers): FormErrors {
  const count = countEntered(entered);
  if (count === 0) return { users: 'Enter at least one user.' };
  if (count <= maxBulkUsers) return {};
  return { users: `At most ${maxBulkUsers} users in one request. This list has ${count}.` };
}

export function countEntered({ users, people }: EnteredUsers): number {
  return splitUserList(users).length + people.length;
}

type Options = { call: Interaction; accepted?: number | undefined };

/**
 * Looks up the users that were entered: the form that requests approval for all of them, or the form for
 * entering users with what is wrong, a failure included. `accepted`: how many may be left out.
 */
export async function checkUsers(
  form: BulkForm,
  entered: EnteredUsers,
  options: Options,
  approvals: Approvals,
): Promise<ModalView> {
  try {
    return await reviewUsers(form, entered, options, approvals);
  } catch (error) {
    // A message in place of the form would lose the list.
    return enterUsersModal(form, entered, { failure: describeLookupFailure(error, options.call) });
  }
}

function describeLookupFailure(error: unknown, { log }: Interaction): string {
  if (error instanceof Refusal) return error.answer.text;
  const reference = newReference();
  log.error({ reference, err: error }, 'the users of a list could not be looked up');
  return `${describeFailure(error)}\nReference ${reference}`;
}

async function reviewUsers(
  form: BulkForm,
  entered: EnteredUsers,
  { call, accepted = 0 }: Options,
  approvals: Approvals,
): Promise<ModalView> {
  const people = await readAddresses(call.slack, entered.people);
  const typed = splitUserList([entered.users, ...people.addresses].join('\n'));
  const read = (client: ServiceClient) => resolveUsers(client, typed);
  const found = await inspectUsers(call, form.verb, read, approvals);
  const { users, excess, prepared } = found;
  const leftOut = [...people.leftOut, ...found.leftOut];
  const areAccepted = leftOut.length === 0 || leftOut.length === accepted;
  if (!areAccepted || excess !== undefined || !prepared) {
    return enterUsersModal(form, entered, { leftOut, excess, readyCount: users.length });
  }
  const { deleteGraceMinutes } = await call.settings();
  const warning = await approvals.warnOfRefusal(call, { prepared });
  return requestUsersModal(form, users, { deleteGraceMinutes, leftOut: leftOut.length, warning });
}

/** The email addresses of people in Slack. */
async function readAddresses(
  slack: SlackClient,
  slackUserIds: readonly string[],
): Promise<{ addresses: string[]; leftOut: LeftOut[] }> {
  const addresses: string[] = [];
  const leftOut: LeftOut[] = [];
  const people = await Promise.all(slackUserIds.map((id) => readPerson(slack, id)));
  for (const { slackUserId, email } of people) {
    if (email) addresses.push(email);
    else {
      const why =
        "Slack doesn't show Belay this person's email address. Enter the address instead.";
      leftOut.push({ who: mention(slackUserId), why });
    }
  }
  return { addresses, leftOut };
}

type FoundUsers = { users: User[]; leftOut: LeftOut[] };

/** Exactly the users with these ids. An id that looks like a name is nobody's name here. */
export async function readByIds(client: ServiceClient, ids: string[]): Promise<FoundUsers> {
  const read = await Promise.all(ids.map((id) => readById(client, id)));
  const users = read.filter((user) => user !== undefined);
  const gone = ids.filter((_, index) => read[index] === undefined);
  const leftOut = gone.map((id) => ({ who: code(id, 60), why: 'No user has this ID.' }));
  return { users, leftOut };
}

/**
 * Reads users, and finds out who can't be in a request, and why. `excess`: why all of them are too many,
 * mrkdwn.
 */
export async function inspectUsers(
  call: Interaction,
  verb: BulkVerb,
  read: (client: ServiceClient) => Promise<FoundUsers>,
  approvals: Approvals,
) {
  const [opened, settings] = await Promise.all([call.service(), call.settings()]);
  const client = cacheReads(opened.client);
  const service = { ...opened, client };
  const { users: found, leftOut } = await read(client);
  const graceMinutes = settings.deleteGraceMinutes;
  const changing = found.filter((user) => {
    const why = problemWith(verb, user);
    if (why !== undefined) leftOut.push({ who: userMrkdwn(user), why });
    return why === undefined;
  });
  const byId = new Map(changing.map((user) => [user.id, user]));
  const each = changing.map((user) =>
    prepareAction(verb, user, service, { newFullName: '', graceMinutes }),
  );
  const { prepared, excess, ...inspected } = await approvals.inspectSubjects(call, each);
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

/** Longer ids leave too little room for fifty in a form. */
const maxIdLength = 60;

function problemWith(verb: BulkVerb, { id, isEnabled }: User): string | undefined {
  if (verb === 'disable' && isEnabled === false) return 'Already disabled.';
  if (verb === 'enable' && isEnabled === true) return 'Already enabled.';
  if (id.length <= maxIdLength) return undefined;
  return `The ID ${code(id, 60)} is too long for a bulk request.`;
}
