import type { WaitingRequest } from '../../../requests/list/list-waiting.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { mention, readShown, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import {
  changedProtection,
  changedRules,
  protectedKinds,
  type RuleChange,
} from '../../../workspace/compare-rules.ts';
import { definedSettings, isDefined } from '../../../workspace/settings/settings.ts';
import type { FormChange, SetupChange, SetupValues } from '../../../workspace/setup-change.ts';
import {
  formatRulePart,
  ruledActionNames,
  rulePartLabels,
} from '../../../workspace/views/format-rule.ts';
import { compareSetup, type OtherSetting } from '../compare-setup.ts';

/** No form takes a longer text. */
const maxShownLength = 255;

/** The longest that can be protected. */
const maxProtectedLength = 320;

/** Of a watch or digest of a configuration file. */
const maxItemLength = 1000;

/** A message has 50 blocks, of which a request needs some for itself. */
const maxLines = 35;

/** What ends with a connection, beside the requests that wait on it. */
export const removalEffects =
  'Watches, mutes, digests and restore drills on this connection end, and channels that use the connection return to the default.';

/** Every changed setting with its old and its new value, shown exactly, a block each: mrkdwn. */
export function changeLines({ configuration, ...change }: SetupChange): string[] {
  const { changes = [], items = [] } = configuration ?? {};
  const shown = items.map((line) => safeName(line, maxItemLength));
  return [...[change, ...changes].flatMap(linesOfForm), ...shown];
}

function linesOfForm(change: FormChange): string[] {
  const { target, before, after, tokenOwnerBefore, tokenOwnerAfter, ownerCheck } = change;
  const name = target ? safeName(target.name) : '';
  const nameBefore = target?.nameBefore === undefined ? '' : safeName(target.nameBefore);
  const values = (show: (values: SetupValues) => string) => `${show(before)} → ${show(after)}`;
  // Two portals can have the same label.
  const isAmbiguous = before.regionLabel === after.regionLabel;
  const formatRegion = ({ regionId, regionLabel }: SetupValues) => {
    const shown = safeName(regionLabel, maxShownLength);
    return isAmbiguous ? `${shown} (${safeName(regionId, maxShownLength)})` : shown;
  };
  const { regionId } = after;
  const added = `${name}\n*Region*: ${safeName(after.regionLabel, maxShownLength)} (${safeName(regionId, maxShownLength)})`;
  const lines: Record<OtherSetting, () => string | string[]> = {
    connectionName: () => `*Name*: ${nameBefore} → ${name}`,
    connectionAdded: () =>
      `*New connection*: ${added}\n*Organizational unit*: ${formatUnit(after)}\n*Token owner*: ${formatOwner(tokenOwnerAfter)}`,
    connectionRemoved: () => `*Removed connection*: ${name}`,
    defaultConnection: () => `*Default connection*: ${nameBefore} → ${name}`,
    region: () => `*Region*: ${values(formatRegion)}`,
    organizationalUnit: () => `*Organizational unit*: ${values(formatUnit)}`,
    token: () => `*API token*: replaced${formatTenant(change)}`,
    tokenOwner: () =>
      `*Token owner*: ${formatOwner(tokenOwnerBefore)} → ${formatOwner(tokenOwnerAfter)}`,
    rules: () => ruleLines(change),
    protectedUsers: () => protectionLines(change),
  };
  const unchecked =
    ownerCheck === 'not_checkable' && tokenOwnerAfter !== undefined
      ? [
          `⚠ Not checked: whether the token owner ${formatOwner(tokenOwnerAfter)} exists in the service`,
        ]
      : [];
  const which = target?.kind === 'edit' ? [`*Connection*: ${nameBefore || name}`] : [];
  return [
    ...which,
    ...compareSetup(change).flatMap(({ setting }) => {
      if (!isDefined(setting)) return lines[setting]();
      const { label, format } = definedSettings[setting];
      return `*${label}*: ${values(format)}`;
    }),
    ...unchecked,
  ];
}

function formatTenant({ connectionId, isSameTenant, before, after }: FormChange): string {
  if (isSameTenant) return ' (same tenant, so pending requests and scheduled deletions stay valid)';
  const isElsewhere =
    before.regionId !== after.regionId ||
    before.organizationalUnitId !== after.organizationalUnitId;
  return connectionId === undefined || isElsewhere ? '' : ' (not confirmed to be the same tenant)';
}

/** Whether these lines show every new value exactly and in full. */
export function showsExactly({ configuration, ...change }: SetupChange): boolean {
  const { changes = [], items = [] } = configuration ?? {};
  const lines = changeLines({ ...change, configuration });
  const isInFull =
    lines.length <= maxLines && lines.every((line) => line.length <= limits.sectionText);
  return (
    isInFull &&
    [change, ...changes].every(showsFormExactly) &&
    items.every((line) => readShown(safeName(line, maxItemLength)) === line)
  );
}

function showsFormExactly(change: FormChange): boolean {
  const { target, after, tokenOwnerBefore, tokenOwnerAfter } = change;
  // All values of a new connection are new.
  const before: Partial<SetupValues> = target?.kind === 'add' ? {} : change.before;
  const pairs = [
    [before.regionLabel, after.regionLabel],
    [before.organizationalUnitId, after.organizationalUnitId],
    [tokenOwnerBefore, tokenOwnerAfter],
  ];
  const areExact = pairs.every(
    ([old, value]) =>
      value === undefined || value === old || readShown(safeName(value, maxShownLength)) === value,
  );
  return areExact && showsProtectedExactly(change);
}

/** Each changed rule in as few blocks as it fits into: mrkdwn. */
function ruleLines({ before, after }: FormChange): string[] {
  return changedRules(before.access, after.access).flatMap(linesOf);
}

function linesOf({ action, before, after, parts }: RuleChange): string[] {
  const title = `*Rule: ${ruledActionNames[action]}*`;
  const changes = parts.map(
    (part) =>
      `${rulePartLabels[part]}: ${formatRulePart[part](before)} → ${formatRulePart[part](after)}`,
  );
  const whole = [title, ...changes].join('\n');
  if (whole.length <= limits.sectionText) return [whole];
  return changes.map((change) => `${title}\n${change}`);
}

export const protectedLabels = {
  addresses: 'Protected addresses',
  domains: 'Protected domains',
  roles: 'Protected roles',
} as const;

/** What becomes protected and what no longer is, one block for each kind: mrkdwn. */
function protectionLines({ before, after }: FormChange): string[] {
  const change = changedProtection(before.access.protectedUsers, after.access.protectedUsers);
  if (!change) return [];
  return protectedKinds.flatMap((kind) => {
    const { added, removed } = change[kind];
    const changes = [
      ...(added.length > 0 ? [`added ${formatProtected(added)}`] : []),
      ...(removed.length > 0 ? [`removed ${formatProtected(removed)}`] : []),
    ];
    return changes.length > 0 ? [`*${protectedLabels[kind]}*: ${changes.join(' · ')}`] : [];
  });
}

export function formatProtected(texts: readonly string[]): string {
  return texts.map((text) => safeName(text, maxProtectedLength)).join(', ');
}

/** Whether they show what people typed exactly, if nothing of a line is cut. */
function showsProtectedExactly({ before, after }: FormChange): boolean {
  const change = changedProtection(before.access.protectedUsers, after.access.protectedUsers);
  const texts = protectedKinds.flatMap((kind) => change?.[kind].added ?? []);
  return texts.every((text) => readShown(safeName(text, maxProtectedLength)) === text);
}

export function formatUnit({
  organizationalUnitId: id,
  unitName,
}: Pick<SetupValues, 'organizationalUnitId' | 'unitName'>): string {
  if (id === undefined) return "the token's own";
  const shown = safeName(id, maxShownLength);
  return unitName && unitName !== id ? `${safe(unitName, 100)} (${shown})` : shown;
}

export function formatOwner(owner: string | undefined): string {
  return owner === undefined ? 'not set' : safeName(owner, maxShownLength);
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
