import { mailboxOf } from '../../mailbox.ts';
import { isRecipientGone } from '../../slack/api/error-codes.ts';
import type { Person } from '../../slack/api/person.ts';
import type { RequiredApproval } from '../workspaces/index.ts';
import type { Members } from './access.ts';

/** Which of the required approvals nobody could give now: `able` people could give it, or too few. */
export type UnmetApproval = {
  index: number;
  /** `overlap`: there are enough people, but others need them as well. */
  reason: 'too-few' | 'overlap' | 'unread';
  able: number;
};

/** Of a large group, so many are looked up before the others are assumed to be able to approve. */
const maxLookedUp = 60;

type Directory = {
  listMembers: (ids: readonly string[]) => Promise<Members>;
  readPerson: (slackUserId: string) => Promise<Person>;
};

/**
 * Whether different people could give all approvals of a rule now, whoever requests. A mailbox counts
 * once, and an account without an address can't approve. Undefined if they could.
 */
export async function findUnmetApproval(
  approvals: readonly RequiredApproval[],
  directory: Directory,
): Promise<UnmetApproval | undefined> {
  const total = approvals.reduce((sum, { count }) => sum + count, 0);
  const able: string[][] = [];
  for (const [index, { from, count }] of approvals.entries()) {
    const found = await findAble(from, { enough: total, index }, directory);
    if (found.mailboxes.length < count) {
      const reason = found.isUnread ? 'unread' : 'too-few';
      return { index, reason, able: found.mailboxes.length };
    }
    able.push(found.mailboxes);
  }
  const index = findUnassigned(approvals, able);
  return index === undefined
    ? undefined
    : { index, reason: 'overlap', able: able[index]?.length ?? 0 };
}

/** The mailboxes of people who can approve, at least `enough` if there are so many. */
async function findAble(
  ids: readonly string[],
  { enough, index }: { enough: number; index: number },
  { listMembers, readPerson }: Directory,
): Promise<{ mailboxes: string[]; isUnread: boolean }> {
  const { people, unread } = await listMembers(ids);
  const mailboxes = new Set<string>();
  for (const id of people.slice(0, maxLookedUp)) {
    const mailbox = await findMailbox(id, readPerson);
    if (mailbox !== undefined) mailboxes.add(mailbox);
    if (mailboxes.size >= enough) break;
  }
  const assumed = Math.min(people.length - maxLookedUp, enough - mailboxes.size);
  // Nobody else is assumed to be one of these.
  for (let more = 0; more < assumed; more += 1) mailboxes.add(`assumed ${index} ${more}`);
  return { mailboxes: [...mailboxes], isUnread: unread.length > 0 };
}

async function findMailbox(
  slackUserId: string,
  readPerson: Directory['readPerson'],
): Promise<string | undefined> {
  try {
    const { membership, email } = await readPerson(slackUserId);
    return membership === 'member' ? mailboxOf(email) : undefined;
  } catch (error) {
    if (isRecipientGone(error)) return undefined;
    throw error;
  }
}

/** The first approval that is left without enough people of its own (Kuhn's bipartite matching). */
function findUnassigned(
  approvals: readonly RequiredApproval[],
  able: readonly string[][],
): number | undefined {
  const takenBy = new Map<string, number>();
  const assign = (index: number, seen: Set<string>): boolean =>
    (able[index] ?? []).some((mailbox) => {
      if (seen.has(mailbox)) return false;
      seen.add(mailbox);
      const holder = takenBy.get(mailbox);
      if (holder !== undefined && !assign(holder, seen)) return false;
      takenBy.set(mailbox, index);
      return true;
    });
  for (const [index, { count }] of approvals.entries()) {
    for (let place = 0; place < count; place += 1) {
      if (!assign(index, new Set())) return index;
    }
  }
  return undefined;
}
