import { limitsOf } from '../../../workspace/limits.ts';
import { ruledActions } from '../../../workspace/rules.ts';
import { digestParts } from '../../digests/index.ts';
import {
  type AlertWatch,
  type ComplianceWatch,
  type ConfiguredDigest,
  type Filter,
  type Item,
  type Workspace,
  weekdayNames,
} from './configuration.ts';

/**
 * The one form in which a configuration is written and compared: keys in a fixed order, lists whose
 * order means nothing sorted, and nothing that is empty within a section.
 */
export function canonical(given: Workspace): Workspace {
  const { settings, roles, rules, protectedUsers } = given;
  return {
    connections: given.connections
      .map(({ name, region, organizationalUnit, tokenOwner, token, default: isDefault }) => ({
        name,
        region,
        organizationalUnit,
        tokenOwner,
        token,
        default: isDefault || given.connections.length === 1 ? (true as const) : undefined,
      }))
      .toSorted((one, other) => {
        const byDefault = Number(other.default ?? false) - Number(one.default ?? false);
        return byDefault || compare(one.name.toLowerCase(), other.name.toLowerCase());
      }),
    settings: {
      approvalsChannel: settings.approvalsChannel,
      approvers: asSet(settings.approvers),
      ...limitsOf(settings),
    },
    roles: {
      viewers: asSet(roles.viewers),
      operators: asSet(roles.operators),
      auditors: asSet(roles.auditors),
      admins: asSet(roles.admins),
    },
    rules: Object.fromEntries(
      ruledActions.flatMap((action) => {
        const rule = rules[action];
        if (!rule) return [];
        const approvals = rule.approvals.map(({ from, count }) => ({ from: asSet(from), count }));
        const sorted = {
          requesters: asSet(rule.requesters),
          approvals: sortedByText(approvals),
          hoursToDecide: rule.hoursToDecide,
          hoursToRun: rule.hoursToRun,
          remindAfterMinutes: rule.remindAfterMinutes,
          breakGlass: asSet(rule.breakGlass),
        };
        return [[action, sorted]];
      }),
    ),
    protectedUsers: {
      addresses: asSet(protectedUsers.addresses),
      domains: asSet(protectedUsers.domains),
      roles: asSet(protectedUsers.roles),
    },
    channels: sortedByText(given.channels.map(placed)),
    alertWatches: sortedByText(given.alertWatches.map(canonicalAlertWatch)),
    complianceWatches: sortedByText(given.complianceWatches.map(canonicalComplianceWatch)),
    policyWatches: sortedByText(given.policyWatches.map(placed)),
    digests: sortedByText(given.digests.map(canonicalDigest)),
  };
}

/** The same for one item. */
export function canonicalItem(item: Item): Item {
  switch (item.section) {
    case 'alertWatches':
      return { ...item, value: canonicalAlertWatch(item.value) };
    case 'complianceWatches':
      return { ...item, value: canonicalComplianceWatch(item.value) };
    case 'digests':
      return { ...item, value: canonicalDigest(item.value) };
    default:
      return { ...item, value: placed(item.value) };
  }
}

function canonicalAlertWatch(watch: AlertWatch): AlertWatch {
  return { ...placed(watch), filter: canonicalFilter(watch.filter) };
}

function canonicalComplianceWatch({ policy, above, ...watch }: ComplianceWatch): ComplianceWatch {
  return { ...placed(watch), policy: { id: policy.id, name: policy.name }, above };
}

function canonicalDigest(digest: ConfiguredDigest): ConfiguredDigest {
  return {
    ...placed(digest),
    time: digest.time,
    weekdays: weekdayNames.filter((day) => digest.weekdays.includes(day)),
    timeZone: digest.timeZone,
    include: digestParts.filter((part) => digest.include.includes(part)),
    ifEmpty: digest.ifEmpty,
    filter: canonicalFilter(digest.filter),
  };
}

/** Undefined for all alerts. */
function canonicalFilter({ severities, types, policy, words = [] }: Filter = {}) {
  const filter = {
    ...(severities && { severities: severities.toSorted() }),
    ...(types && { types: types.toSorted() }),
    ...(policy !== undefined && { policy }),
    ...(words.length > 0 && { words }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

function placed({ channel, connection, owner }: Item['value']) {
  return { channel, connection, owner };
}

function asSet(texts: string[]): string[] {
  return [...new Set(texts)].toSorted(compare);
}

function sortedByText<Value>(values: Value[]): Value[] {
  const texts = new Map(values.map((value) => [value, JSON.stringify(value)]));
  return values.toSorted((one, other) => compare(texts.get(one) ?? '', texts.get(other) ?? ''));
}

/** By code unit, regardless of the locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Whether both are equivalent. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
