import { people } from '../../playground/people.ts';
import { createAlerts } from '../../playground/service/data/alerts.ts';
import { namedUsers } from '../../playground/service/data/named-users.ts';
import { createPolicies, seedLivePolicy } from '../../playground/service/data/policies.ts';
import { createRandom } from '../../playground/service/data/random.ts';
import { renderPolicy } from '../../playground/service/live/policy-format.ts';
import type { AuditEvent } from '../../src/audit-log/entry.ts';
import { liveRules } from '../../src/dataprotection/dialects/live.ts';
import { alertSchema } from '../../src/dataprotection/resources/alert-schema.ts';
import { createPolicySchema } from '../../src/dataprotection/resources/policy-schema.ts';
import { userSchema } from '../../src/dataprotection/resources/user-schema.ts';
import type { User } from '../../src/dataprotection/resources/users.ts';
import { defaultSearch } from '../../src/features/alerts/alert-search.ts';
import { logEvents } from '../../src/features/audit/event-names.ts';
import type { AuditRecord } from '../../src/features/audit/store/audit-store.ts';
import { sampleNow } from './sample-place.ts';
import type { SamplePolicy, Samples } from './samples.ts';
import { sampleChange } from './setup/sample-change.ts';

const policySchema = createPolicySchema(liveRules.policy);

const joana: User = {
  ...userNamed('Joana Prado', '1042'),
  lastActivityTimestamp: '2026-11-20T16:42:10Z',
  inviter: '1001',
  otherFields: { organizational_unit_count: 1, created_timestamp: '2024-02-11T08:30:00Z' },
};
const mariana: User = {
  ...userNamed('Mariana Costa', '1077'),
  lastActivityTimestamp: undefined,
};

/** As the playground's people and service would fill the views, on the same day each time. */
export function realisticSamples(): Samples {
  return {
    copies: 2,
    users: [joana, mariana],
    foundUsers: [
      joana,
      mariana,
      ...['1101', '1102'].map((id, index) => userNamed('Kim Lee', id, index)),
    ],
    newFullName: 'Joana Prado Lima',
    access: [
      { role: 'Organizational Unit Admin', units: ['Lisbon', 'Porto'] },
      { role: 'Viewer', units: [] },
    ],
    alerts: readAlerts(),
    severity: 'error',
    alertType: 'policy_violated',
    policyName: 'Gold',
    word: 'billing',
    watched: {
      ...defaultSearch,
      severities: ['error'],
      policy: 'Gold',
      words: ['billing'],
    },
    policies: readPolicies(),
    units: ['Lisbon', 'Porto', 'Berlin'].map((name, index) => ({
      id: `ou-${index + 1}`,
      name,
      otherFields: {},
    })),
    region: 'US West',
    change: changeOfGuards(),
    records: logEvents.map(recordOf),
    hash: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
    typed: 'prado',
    reason: 'Joana left the company on Friday. Ticket OPS-4512.',
    denial: 'She is on leave until March and comes back.',
    note: 'Asked the storage team. They replace the volume today.',
    problem: 'The service returned a server error.',
  };
}

function userNamed(name: string, id: string, index = 0): User {
  const wire = namedUsers.filter(({ full_name }) => full_name === name)[index];
  return userSchema.parse({ id, last_activity_timestamp: '2026-10-02T09:15:00Z', ...wire });
}

/** Errors and warnings, one with a note, one cleared, one with almost no fields. */
function readAlerts() {
  const policies = createPolicies(createRandom(5));
  const policyFor = (index: number) => policies[index % policies.length];
  const alerts = createAlerts({ now: sampleNow, random: createRandom(7), policyFor })
    .map((alert) => alertSchema.parse(alert))
    .filter(({ status }) => status === 'active')
    .sort((a, b) => (b.updatedTimestamp ?? '').localeCompare(a.updatedTimestamp ?? ''));
  const sparse = alerts.find(({ primaryEntity }) => primaryEntity === undefined);
  return [...alerts.filter((one) => one !== sparse).slice(0, 9), ...(sparse ? [sparse] : [])];
}

function readPolicies(): SamplePolicy[] {
  const counts = [
    [96, 9, 2],
    [61, 3, 0],
    [40, 0, 12],
    [118, 0, 0],
  ];
  return createPolicies(createRandom(5))
    .slice(0, counts.length)
    .map((policy, index) => {
      const { name } = policy;
      const id = `p-${index + 1}`;
      const wire = renderPolicy({
        organizationalUnitId: 'ou-1',
        resource: seedLivePolicy({ ...policy, id }),
      });
      const [compliantCount = 0, nonCompliantCount = 0, unprotectedCount = 0] = counts[index] ?? [];
      return {
        id,
        name,
        definition: policySchema.parse(wire),
        statistics: {
          compliantCount,
          nonCompliantCount,
          unprotectedCount,
          deactivatedCount: 1,
          protectedCount: compliantCount + nonCompliantCount,
          hasSeedingEntities: index === 1,
          otherFields: {},
        },
      };
    });
}

function changeOfGuards() {
  const base = sampleChange('x');
  const region = { regionId: 'us-west', regionLabel: 'US West' };
  return {
    ...base,
    before: {
      ...base.before,
      ...region,
      approvers: [people.ben],
      approvalsChannel: 'C0APPROVE2',
    },
    after: {
      ...base.after,
      ...region,
      organizationalUnitId: 'ou-1',
      unitName: 'Lisbon',
      approvers: [people.ben, people.cleo],
      approvalsChannel: 'C0OPS00001',
      deleteGraceMinutes: 0,
      usersPerHour: 100,
    },
    tokenOwnerBefore: 'belay@harbor.example',
  };
}

/** What an entry of each event holds beyond who, when and about whom. */
const details: Partial<Record<AuditEvent, Partial<AuditRecord>>> = {
  requested: { personal: { reason: 'Joana left the company on Friday.', summary: 'x' } },
  not_posted: { actor: undefined },
  approved: { facts: { approvals: 1, requiredApprovals: 2 } },
  denied: { personal: { reason: 'She is on leave until March.' } },
  expired: { actor: undefined },
  voided: { actor: undefined, facts: { reason: 'subject_changed' } },
  refused: { facts: { attempted: 'approved', reason: 'own_request', times: 3 } },
  started: { actor: undefined, facts: { step: 'disable', attempt: 2 } },
  scheduled: { actor: undefined, action: 'users.delete', facts: { step: 'delete' } },
  completed: { actor: undefined, facts: { step: 'disable' } },
  cancellation_requested: { action: 'users.delete' },
  canceled: { actor: undefined, action: 'users.delete', facts: { step: 'cancel' } },
  failed: { actor: undefined, facts: { step: 'disable', reason: 'guard_refused' } },
  outcome_unknown: { actor: undefined, facts: { step: 'disable', reason: 'interrupted' } },
  approvers_changed: { facts: { before: [people.ben], after: [people.ben, people.cleo] } },
  settings_changed: {
    facts: {
      deleteGraceMinutesBefore: 30,
      deleteGraceMinutesAfter: 0,
      usersPerHourBefore: 10,
      usersPerHourAfter: 100,
      tokenOwnerChanged: true,
      weakeningApprovalsBefore: 2,
      weakeningApprovalsAfter: 1,
      approvalsChannelBefore: 'C0APPROVE2',
      approvalsChannelAfter: 'C0OPS00001',
    },
  },
  alert_cleared: { action: 'alerts.clear', subjectId: 'a-17' },
  alert_clearing_started: { action: 'alerts.clear', facts: { alerts: 37 } },
  alert_clearing_finished: {
    action: 'alerts.clear',
    facts: { alerts: 37, cleared: 35, already_cleared: 2 },
  },
  note_changed: {
    action: 'alerts.note',
    subjectId: 'a-17',
    personal: { note: 'Volume replaced.' },
  },
  erased: { personal: { by: 'Cleo Brandt' }, facts: { entries: ['12', '13'] }, actor: undefined },
  key_changed: { personal: { by: 'Cleo Brandt' }, actor: undefined },
};

function recordOf(event: AuditEvent, index: number): AuditRecord {
  const isAlert = event.startsWith('alert_');
  const isOfUser = !isAlert && !/changed$|^erased$/.test(event);
  const subject = isAlert
    ? 'billing-volume-14, Backup failed'
    : 'Joana Prado (joana.prado@example.com)';
  return {
    seq: 240 - index,
    at: new Date(sampleNow.getTime() - index * 47 * 60_000),
    event,
    actor: people.ben,
    action: isOfUser ? 'users.disable' : undefined,
    subjectId: isOfUser ? '1042' : undefined,
    facts: {},
    personal: {},
    isErased: false,
    requestPersonal: isOfUser || isAlert ? { subject } : undefined,
    ...details[event],
  };
}
