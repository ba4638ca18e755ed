import { createHash } from 'node:crypto';
import { ruledActions } from '../../../workspace/rules.ts';
import { workspaceSettings } from '../../../workspace/settings/document.ts';
import { loadYaml } from '../../../yaml.ts';
import type { Section } from '../sections/define-section.ts';
import { sections } from '../sections/sections.ts';
import { itemsOf, type TokenReference, type Workspace } from './configuration.ts';

/** In the order in which they are declared. */
const plainSettings = workspaceSettings.omit({ access: true });

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
    settings: plainSettings.parse({ ...settings, approvers: asSet(settings.approvers) }),
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
    items: sections.flatMap((section) =>
      itemsOf(section, given.items)
        .map((item) => item.canonical())
        .toSorted((one, other) => compare(one.text, other.text)),
    ),
  };
}

/** A workspace as the file has it. */
export function toFile({ items, ...settings }: Workspace) {
  const valuesIn = (section: Section) => itemsOf(section, items).map(({ value }) => value);
  return { ...settings, ...Object.fromEntries(sections.map((one) => [one.name, valuesIn(one)])) };
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

/** The text of a configuration file: the same for the same configuration. */
export function writeConfiguration(workspaces: ReadonlyMap<string, Workspace>): string {
  const sorted = [...workspaces].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const file = {
    version: 1,
    workspaces: Object.fromEntries(sorted.map(([id, workspace]) => [id, withoutEmpty(workspace)])),
  };
  return loadYaml().stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Leaves out what is empty within a section; a section itself says that there is nothing. */
function withoutEmpty(workspace: Workspace) {
  return Object.fromEntries(
    Object.entries(toFile(workspace)).map(([section, value]) => [section, pruned(value)]),
  );
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  const isEmpty = (one: unknown) => one === undefined || (Array.isArray(one) && one.length === 0);
  const kept = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(kept.map(([key, one]) => [key, pruned(one)]));
}

/**
 * Where the token of a connection is expected, derived from the names alone, so that an export depends
 * on nothing but what is stored. Names that would share a variable get a part of their hash.
 */
export function defaultTokenReference(teamId: string, name: string): TokenReference {
  const plain = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  const isUnique = /^[a-z0-9-]+$/i.test(name);
  const hash = createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 6);
  const team = teamId.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
  return { env: `BELAY_TOKEN_${team}_${plain}${isUnique ? '' : `_${hash.toUpperCase()}`}` };
}
