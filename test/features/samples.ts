import type { Alert } from '../../src/dataprotection/resources/alerts.ts';
import type { ComplianceStatistics } from '../../src/dataprotection/resources/compliance.ts';
import type { OrganizationalUnit } from '../../src/dataprotection/resources/organizational-units.ts';
import type { Policy } from '../../src/dataprotection/resources/policies.ts';
import type { User } from '../../src/dataprotection/resources/users.ts';
import { type AlertSearch, alertSearchSchema } from '../../src/features/alerts/alert-search.ts';
import { logEvents } from '../../src/features/audit/event-names.ts';
import type { AuditRecord } from '../../src/features/audit/store/audit-store.ts';
import type { SetupChange } from '../../src/workspace/setup-change.ts';
import { alertMadeOf } from './alerts/hostile-alert.ts';
import { sampleChange } from './setup/sample-change.ts';

export type SamplePolicy = {
  id: string;
  name: string;
  statistics: ComplianceStatistics;
  definition: Policy;
};

/** What people and the service put into views: realistic to read, or hostile to break them. */
export type Samples = {
  /** How long the lists are that have no limit of their own. */
  copies: number;
  /** The first is enabled, the second disabled. */
  users: [User, User];
  /** What a search finds. */
  foundUsers: User[];
  newFullName: string;
  access: { role: string; units: string[] }[];
  /** Newest first. */
  alerts: Alert[];
  /** Short enough for a filter or a search. */
  severity: string;
  alertType: string;
  policyName: string;
  word: string;
  /** The filter of a watch. */
  watched: AlertSearch;
  policies: SamplePolicy[];
  units: OrganizationalUnit[];
  region: string;
  change: SetupChange;
  records: AuditRecord[];
  hash: string;
  /** What people wrote. */
  typed: string;
  reason: string;
  denial: string;
  note: string;
  /** What went wrong, of the service or Slack. */
  problem: string;
};

/** The same text in every place where people or the service can put one. */
export function hostileSamples(text: string): Samples {
  const users: [User, User] = [userMadeOf(text, true), userMadeOf(text, false)];
  const [user] = users;
  const statistics = { otherFields: { [text]: text } };
  return {
    copies: 20,
    users,
    foundUsers: Array.from({ length: 30 }, () => user),
    newFullName: text,
    access: Array.from({ length: 9 }, () => ({ role: text, units: [text, text] })),
    alerts: Array.from({ length: 5 }, () => alertMadeOf(text)),
    severity: text,
    alertType: text,
    policyName: text,
    word: text,
    watched: maxSearchLength(text.slice(0, 100)),
    policies: Array.from({ length: 30 }, () => ({
      id: text,
      name: text,
      statistics,
      definition: policyMadeOf(text),
    })),
    units: Array.from({ length: 12 }, () => ({ id: text, name: text, otherFields: {} })),
    region: text,
    change: sampleChange(text),
    records: logEvents.map((event) => ({
      seq: 7,
      at: new Date('2026-11-21T12:00:00Z'),
      event,
      actor: 'U1',
      action: text,
      subjectId: text,
      facts: { reason: text },
      personal: event === 'requested' ? { reason: text, summary: text } : {},
      isErased: event !== 'requested',
      requestPersonal: event === 'approved' ? { summary: text, subject: text } : undefined,
    })),
    hash: text,
    typed: text,
    reason: text,
    denial: text,
    note: text,
    problem: text,
  };
}

/** The longest filter that can be typed. */
function maxSearchLength(value: string): AlertSearch {
  const search: AlertSearch = { status: 'active', sort: '-updated', policy: value, words: [value] };
  for (;;) {
    const longer = { ...search, words: [...search.words, value] };
    if (!alertSearchSchema.safeParse(longer).success) return search;
    search.words = longer.words;
  }
}

function userMadeOf(text: string, isEnabled: boolean): User {
  return {
    id: '8',
    fullName: text,
    email: text,
    isEnabled,
    isConfirmed: false,
    lastActivityTimestamp: text,
    inviter: text,
    otherFields: Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`${index}${text}`, { deep: [text] }]),
    ),
  };
}

function policyMadeOf(text: string): Policy {
  const otherFields = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`${index}${text}`, { deep: [text] }]),
  );
  const duration = { units: text, value: 1e300, otherFields };
  const sla = { rpoFrequency: duration, retentionDuration: duration, otherFields };
  const backup_window_tz = { start_time: text, end_time: text };
  const slaSet = {
    operation: text,
    seedSetting: text,
    slas: [sla, sla],
    otherFields: { ...otherFields, backup_window_tz, timezone: text },
  };
  return {
    id: text,
    name: text,
    slaSets: Array.from({ length: 30 }, () => slaSet),
    otherFields: { ...otherFields, activation_status: text, lock_status: text },
  };
}
