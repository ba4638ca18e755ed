import { channelMention, mention, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { WaitingRequest } from '../../approvals/index.ts';
import type { SetupChange, SetupValues } from '../../workspaces/index.ts';
import { compareSetup, type Setting } from '../compare-setup.ts';

/** No form takes a longer text. */
export const maxShownLength = 255;

/** Every changed setting with its old and its new value, one line each: mrkdwn. */
export function changeLines(change: SetupChange): string[] {
  const { before, after, tokenOwnerBefore, tokenOwnerAfter } = change;
  const values = (show: (values: SetupValues) => string) => `${show(before)} → ${show(after)}`;
  const lines: Record<Setting, () => string> = {
    region: () => `*Region*: ${values(({ regionLabel }) => safe(regionLabel, maxShownLength))}`,
    organizationalUnit: () => `*Organizational unit*: ${values(formatUnit)}`,
    token: () => '*API token*: replaced',
    tokenOwner: () =>
      `*Token owner*: ${formatOwner(tokenOwnerBefore)} → ${formatOwner(tokenOwnerAfter)}`,
    approvers: () => `*Approvers*: ${values(formatApprovers)}`,
    approvalsChannel: () => `*Approvals channel*: ${values(formatChannel)}`,
    deleteGrace: () => `*Deletion grace period*: ${values(formatGrace)}`,
    usersPerHour: () =>
      `*Users disabled or deleted per hour*: ${values(({ usersPerHour }) => `at most ${usersPerHour}`)}`,
  };
  return compareSetup(change).map(({ setting }) => lines[setting]());
}

export function formatUnit({ organizationalUnitId: id, unitName }: SetupValues): string {
  if (id === undefined) return "the token's own";
  return unitName && unitName !== id
    ? `${safe(unitName, 100)} (${safe(id, maxShownLength)})`
    : safe(id, maxShownLength);
}

export function formatApprovers({ approvers }: SetupValues): string {
  return approvers.map(mention).join(', ') || 'the admins of this workspace';
}

function formatOwner(owner: string | undefined): string {
  return owner === undefined ? 'not set' : safe(owner, maxShownLength);
}

function formatChannel({ approvalsChannelId: id }: SetupValues): string {
  return id === undefined ? 'none (posted where the request is made)' : channelMention(id);
}

function formatGrace({ deleteGraceMinutes }: SetupValues): string {
  return deleteGraceMinutes === 0 ? 'none' : plural(deleteGraceMinutes, 'minute', 'minutes');
}

const maxListed = 10;

/** Waiting requests, one line each: mrkdwn. */
export function listRequests(requests: WaitingRequest[]): string {
  const listed = requests
    .slice(0, maxListed)
    .map(({ summary, requester }) => `• ${summary} · requested by ${mention(requester)}`);
  const more = requests.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
