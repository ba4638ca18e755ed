import type { Clock } from '../../clock.ts';
import { isSamePerson, mailboxOf } from '../../mailbox.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import { findMember, findPerson, type Person, readPerson } from '../../slack/api/person.ts';
import { type Interaction, MissingRight } from '../../slack/interactions/interaction.ts';
import { notice } from '../../slack/ui/blocks.ts';
import type { Access } from '../../workspace/access/access.ts';
import type { StandIn, StandInStore } from '../../workspace/access/store/stand-in-store.ts';
import { isApprover, mayDecide, mayView, type NamedPeople } from '../../workspace/permissions.ts';
import { approversInRules } from '../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { endOfLastDay } from './resolve-until.ts';
import {
  standInEndedMessage,
  standInNamedMessage,
  youStandInMessage,
} from './views/stand-in-messages.ts';

export type NameDependencies = {
  store: StandInStore;
  access: Access;
  adminDirectory: AdminDirectory;
  clock: Clock;
};

/** `field`: the invalid field. `why`: plain text. */
type NameRefusal = { field: 'person' | 'until'; why: string };

/** Who is an approver too adds nobody, except to rules that name the approver. */
type NamedStandIn = StandIn & { isApprover: boolean };

/**
 * Names who decides for an approver until the end of `date` (`YYYY-MM-DD`), in place of the stand-in
 * before. Needs no second person: a stand-in can decide nothing that the approver couldn't.
 * @throws {MissingRight} unless the person is an approver
 */
export async function nameStandIn(
  call: Interaction,
  { standIn, date }: { standIn: string; date: string },
  dependencies: NameDependencies,
): Promise<NamedStandIn | NameRefusal> {
  const { store, access, clock } = dependencies;
  const { teamId, person } = call;
  const settings = await call.settings();
  requireApprover(person, settings);
  const at = clock();
  const end = endOfLastDay(date, at, person.timeZone);
  if ('problem' in end) return { field: 'until', why: end.problem };
  const approver = person.slackUserId;
  if (standIn === approver) return { field: 'person', why: 'Choose another person.' };
  const checked = await checkStandIn(call, standIn, access);
  if ('why' in checked) return { field: 'person', why: checked.why };

  const named: StandIn = { approver, standIn, endsAt: end.endsAt };
  const audience = await findAudience(call, settings, [approver, standIn], dependencies);
  await store.name({
    ...named,
    teamId,
    at,
    notices: (before) => [
      ...audience.map((to) => ({ to, message: standInNamedMessage(named) })),
      { to: standIn, message: youStandInMessage(named) },
      ...(before && before.standIn !== standIn
        ? [{ to: before.standIn, message: standInEndedMessage(before, approver) }]
        : []),
    ],
  });
  return { ...named, ...checked };
}

/** @throws {MissingRight} */
export function requireApprover(person: Person, settings: NamedPeople): void {
  if (isApprover(person, settings)) return;
  const answer = notice('Only approvers can name a stand-in. Nothing was changed.');
  throw new MissingRight(answer, '/belay away');
}

/** Why somebody can't stand in for the person: the reasons why they couldn't decide a request. */
async function checkStandIn(
  { person, slack, settings }: Interaction,
  standIn: string,
  access: Access,
): Promise<{ why: string } | Pick<NamedStandIn, 'isApprover'>> {
  const other = await findPerson(access.readPerson(slack, standIn));
  if (!other) return { why: "This person isn't in this workspace." };
  if (other.membership !== 'member') return { why: membershipProblems[other.membership] };
  if (mailboxOf(person.email) === undefined) return { why: noAddress('your email address') };
  if (mailboxOf(other.email) === undefined) {
    return { why: noAddress("this person's email address") };
  }
  if (isSamePerson(person, other) !== 'no') {
    return { why: 'This person has the same mailbox as you, so you count as one person.' };
  }
  const current = await settings();
  if (!mayView(other, current)) return { why: "This person doesn't have access to Belay." };
  return { isApprover: mayDecide(other, current.approvers) };
}

function noAddress(whose: string): string {
  return `Slack doesn't show Belay ${whose}, so Belay can't tell whether you are two people.`;
}

const membershipProblems: Record<Exclude<Person['membership'], 'member'>, string> = {
  guest: "This person is a guest. Guests can't decide requests.",
  external: "This person is from another workspace and can't decide requests here.",
  deactivated: "This person's account is deactivated.",
  bot: "This is a bot. Bots can't decide requests.",
};

/** Only the first people of large groups, because each one costs a call to Slack. */
const maxNotified = 60;

/**
 * Where the other approvers are notified of a stand-in: the approvals channel or, if Belay can't post
 * there, direct messages to the approvers, including those in rules. Ids of channels and people.
 */
async function findAudience(
  { slack, log }: Interaction,
  settings: WorkspaceSettings,
  except: readonly string[],
  { access, adminDirectory }: NameDependencies,
): Promise<string[]> {
  const { approvalsChannel: channelId, approvers } = settings;
  if (channelId !== undefined && (await canPostInChannel(slack, channelId))) return [channelId];
  const { people } = await access.listMembers(slack, [
    ...approvers,
    ...approversInRules(settings.access.rules),
  ]);
  const admins = approvers.length > 0 ? [] : (await adminDirectory.read(slack)).people;
  const all = new Set([...people, ...admins.map(({ slackUserId }) => slackUserId)]);
  for (const id of except) all.delete(id);
  if (all.size > maxNotified) log.warn('some approvers are not notified of a stand-in');
  // Approvers may have become guests, and groups may include guests.
  const members = await Promise.all(
    [...all].slice(0, maxNotified).map((id) => findMember(readPerson(slack, id))),
  );
  return members.flatMap((member) => member?.slackUserId ?? []);
}
