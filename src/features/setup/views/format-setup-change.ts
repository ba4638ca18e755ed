import {
  channelMention,
  code,
  mention,
  readShown,
  safe,
  safeName,
} from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { WaitingRequest } from '../../approvals/index.ts';
import type { SetupChange, SetupValues } from '../../workspaces/index.ts';
import { compareSetup, type Setting } from '../compare-setup.ts';

/** No form takes a longer text. */
const maxShownLength = 255;

type Show = (text: string, max: number) => string;

/**
 * Every changed setting with its old and its new value, one line each: mrkdwn. `show` formats ids and
 * addresses exactly: as code or, for a text without markup, as a name.
 */
export function changeLines(change: SetupChange, show: Show = code): string[] {
  const { before, after, tokenOwnerBefore, tokenOwnerAfter, ownerCheck } = change;
  const values = (show: (values: SetupValues) => string) => `${show(before)} → ${show(after)}`;
  const lines: Record<Setting, () => string> = {
    region: () => `*Region*: ${values(({ regionLabel }) => safeName(regionLabel, maxShownLength))}`,
    organizationalUnit: () => `*Organizational unit*: ${values((unit) => formatUnit(unit, show))}`,
    token: () => '*API token*: replaced',
    tokenOwner: () =>
      `*Token owner*: ${formatOwner(tokenOwnerBefore, show)} → ${formatOwner(tokenOwnerAfter, show)}`,
    approvers: () => `*Approvers*: ${values(formatApprovers)}`,
    approvalsChannel: () => `*Approvals channel*: ${values(formatChannel)}`,
    deleteGrace: () => `*Deletion grace period*: ${values(formatGrace)}`,
    usersPerHour: () =>
      `*Users disabled or deleted per hour*: ${values(({ usersPerHour }) => `at most ${usersPerHour}`)}`,
  };
  const unchecked =
    ownerCheck === 'not-checkable' && tokenOwnerAfter !== undefined
      ? [
          `⚠ Not checked: whether the service has the token owner ${formatOwner(tokenOwnerAfter, show)}`,
        ]
      : [];
  return [...compareSetup(change).map(({ setting }) => lines[setting]()), ...unchecked];
}

/** Whether these lines show every new value exactly and in full. */
export function showsExactly(change: SetupChange): boolean {
  const { before, after, tokenOwnerBefore, tokenOwnerAfter } = change;
  const pairs = [
    [before.regionLabel, after.regionLabel],
    [before.organizationalUnitId, after.organizationalUnitId],
    [tokenOwnerBefore, tokenOwnerAfter],
  ];
  return pairs.every(
    ([old, value]) =>
      value === undefined || value === old || readShown(code(value, maxShownLength)) === value,
  );
}

function formatUnit({ organizationalUnitId: id, unitName }: SetupValues, show: Show): string {
  if (id === undefined) return "the token's own";
  const shown = show(id, maxShownLength);
  return unitName && unitName !== id ? `${safe(unitName, 100)} (${shown})` : shown;
}

export function formatApprovers({ approvers }: SetupValues): string {
  return approvers.map(mention).join(', ') || 'the admins of this workspace';
}

function formatOwner(owner: string | undefined, show: Show): string {
  return owner === undefined ? 'not set' : show(owner, maxShownLength);
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
