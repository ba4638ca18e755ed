import type { Selectable } from 'kysely';
import type { AuditEntry, AuditEvent, AuditFacts, Operator } from '../../audit-log/entry.ts';
import { changedProtection, changedRules, protectedKinds } from '../compare-rules.ts';
import { ruleFacts } from '../rule-facts.ts';
import type { WorkspaceSettings } from '../settings/document.ts';
import { allSettings, definedSettings } from '../settings/settings.ts';
import type { Setup } from '../workspace.ts';
import type { ConnectionTable } from './tables.ts';

type Before = WorkspaceSettings & {
  /** The one that was changed; undefined if it is new. */
  connection: Selectable<ConnectionTable> | undefined;
  /** Whether the connection got another token and is otherwise the same. */
  isTokenReplaced?: boolean;
};
type Saved = Pick<
  Setup,
  'teamId' | 'at' | 'target' | 'connection' | 'settings' | 'tokenOwner' | 'approvalId'
> & {
  savedBy?: string;
  /** If the operator made the change, from the command line. */
  operator?: Operator | undefined;
};
type EntryContents = Pick<AuditEntry, 'facts' | 'personal'>;

/** The audit log entries for what a setup changed. Keys and values are hashed: they stay as they are. */
export function setupEntries(setup: Saved, before: Before): AuditEntry[] {
  const { teamId, operator, approvalId, at } = setup;
  const actor = operator ? operator.actor : setup.savedBy;
  const entry = (event: AuditEvent, contents: EntryContents | undefined) =>
    contents
      ? [
          {
            teamId,
            at,
            actor,
            approvalId,
            event,
            ...contents,
            facts: { ...contents.facts, ...(operator && { operator: true }) },
            personal: { ...contents.personal, ...operator?.personal },
          },
        ]
      : [];
  return [
    ...entry(
      before.isTokenReplaced ? 'token_replaced' : connectionEvent(setup),
      connectionContents(setup, before),
    ),
    ...entry('approvers_changed', approversContents(setup, before)),
    ...entry('settings_changed', settingsContents(setup, before)),
    ...changedRules(before.access, setup.settings.access).flatMap((change) =>
      entry('rule_changed', { facts: ruleFacts(change), personal: {} }),
    ),
    ...entry('protected_users_changed', protectionContents(setup, before)),
  ];
}

function connectionEvent({ target }: Saved): AuditEvent {
  switch (target?.kind) {
    case 'add':
      return 'connection_added';
    case 'remove':
      return 'connection_removed';
    case 'make_default':
      return 'default_connection_changed';
    default:
      return 'connection_changed';
  }
}

/** A name is what a person wrote, so it isn't among the facts. */
function connectionContents(
  { target, connection }: Saved,
  { connection: before }: Before,
): EntryContents | undefined {
  const isRenamed = target?.nameBefore !== undefined;
  if (!connection && !isRenamed && target?.kind !== 'remove') return undefined;
  const id = connection?.id ?? before?.id;
  const details = connection && {
    regionId: connection.regionId,
    hasUnit: connection.organizationalUnitId !== undefined,
  };
  return {
    facts: {
      ...(id !== undefined && { connectionId: id }),
      ...details,
      ...(!before && !target && { isFirst: true }),
    },
    personal: {
      ...(target && { connectionName: target.name }),
      ...(target?.nameBefore !== undefined && { connectionNameBefore: target.nameBefore }),
    },
  };
}

function approversContents({ settings }: Saved, before: Before): EntryContents | undefined {
  if (!definedSettings.approvers.compare(before, settings)) return undefined;
  const { approvers } = settings;
  return {
    facts: { before: before.approvers, after: approvers, adminsDecide: approvers.length === 0 },
  };
}

function settingsContents(
  { target, settings, tokenOwner }: Saved,
  before: Before,
): EntryContents | undefined {
  const isEdited = target === undefined || target.kind === 'edit';
  const ownerBefore = before.connection?.token_owner ?? undefined;
  const isOwnerChanged = isEdited && tokenOwner !== ownerBefore;
  // Other approvers have an entry of their own.
  const others = allSettings.filter(({ name }) => name !== 'approvers');
  const facts: AuditFacts = {
    ...Object.fromEntries(others.flatMap((one) => Object.entries(one.facts(before, settings)))),
    ...(isOwnerChanged ? { tokenOwnerChanged: true } : {}),
  };
  if (Object.keys(facts).length === 0) return undefined;
  return { facts, personal: isEdited ? changed('tokenOwner', ownerBefore, tokenOwner) : {} };
}

/** Addresses, domains and names of roles are what a person wrote, so only their numbers are facts. */
function protectionContents({ settings }: Saved, before: Before): EntryContents | undefined {
  const change = changedProtection(before.access.protectedUsers, settings.access.protectedUsers);
  if (!change) return undefined;
  const lists = protectedKinds.flatMap((kind) => [
    [`${kind}Added`, change[kind].added] as const,
    [`${kind}Removed`, change[kind].removed] as const,
  ]);
  const given = lists.filter(([, texts]) => texts.length > 0);
  return {
    facts: Object.fromEntries(given.map(([key, texts]) => [key, texts.length])),
    personal: Object.fromEntries(given.map(([key, texts]) => [key, texts.join(', ')])),
  };
}

/** `…Before` and `…After`, each only if it has a value. */
function changed(
  name: string,
  before: string | undefined,
  after: string | undefined,
): Record<string, string> {
  if (before === after) return {};
  return {
    ...(before === undefined ? {} : { [`${name}Before`]: before }),
    ...(after === undefined ? {} : { [`${name}After`]: after }),
  };
}
