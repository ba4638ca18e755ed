import type { AuditEvent } from '../../src/audit-log/entry.ts';
import type { Region } from '../../src/dataprotection/region.ts';
import type { User } from '../../src/dataprotection/resources/users.ts';
import { defaultSearch } from '../../src/features/alerts/alert-search.ts';
import { alertListMessage } from '../../src/features/alerts/views/alert-list-message.ts';
import { alertGoneModal, alertModal } from '../../src/features/alerts/views/alert-modal.ts';
import { changeMessage } from '../../src/features/alerts/views/change-message.ts';
import { clearModal, noteModal } from '../../src/features/alerts/views/change-modals.ts';
import { filterModal } from '../../src/features/alerts/views/filter-modal.ts';
import type { AuditRecord } from '../../src/features/audit/store/audit-store.ts';
import { auditListMessage } from '../../src/features/audit/views/audit-list-message.ts';
import { checkpointMessage } from '../../src/features/audit/views/checkpoint-message.ts';
import {
  checkpointsMissingMessage,
  checkpointsResumedMessage,
} from '../../src/features/audit/views/checkpoint-notices.ts';
import { logEvents } from '../../src/features/audit/views/format-entry.ts';
import { complianceListMessage } from '../../src/features/compliance/views/compliance-list-message.ts';
import {
  severalPoliciesMessage,
  unknownPolicyMessage,
  unlistedPolicyUnknownMessage,
} from '../../src/features/compliance/views/policy-choice-message.ts';
import {
  noStatisticsMessage,
  policyComplianceMessage,
} from '../../src/features/compliance/views/policy-compliance-message.ts';
import { helpMessage, unknownMessage } from '../../src/features/help/views/help-message.ts';
import { verbs } from '../../src/features/users/views/ids.ts';
import { chooseModal, requestModal } from '../../src/features/users/views/request-modal.ts';
import {
  noUserMessage,
  userCard,
  userListMessage,
} from '../../src/features/users/views/user-message.ts';
import { unreachableMessage } from '../../src/outbox/abandon-channel.ts';
import { withLateness } from '../../src/outbox/send.ts';
import { summaryMessage } from '../../src/outbox/summarize.ts';
import { notice } from '../../src/slack/ui/blocks.ts';
import { limits } from '../../src/slack/ui/limits.ts';
import { safe } from '../../src/slack/ui/mrkdwn.ts';
import { alertMadeOf } from './alerts/hostile-alert.ts';
import { everyApprovalView } from './approvals/every-approval-view.ts';
import { everyDigestView } from './digests/every-digest-view.ts';
import { everyDoctorView } from './doctor/every-doctor-view.ts';
import { everySetupView } from './setup/every-setup-view.ts';
import { everyWatchView } from './watches/every-watch-view.ts';

const at = new Date('2026-11-21T12:00:00Z');
/**
 * Every builder of a message or modal, with `text` wherever people or the service can put text.
 * Keyed by the builder's name: a test compares the keys with the exports of the features.
 */
export function everyView(text: string): Record<string, unknown[]> {
  const users = [userMadeOf(text, true), userMadeOf(text, false)];
  const [user = userMadeOf(text, true)] = users;
  const policy = { id: text, name: text };
  // Belay's own text.
  const subcommand = { name: 'x', usage: 'x', summary: 'Do x', run: async () => undefined };
  const found = { users: Array.from({ length: 30 }, () => user), isComplete: false };

  const access = Array.from({ length: 9 }, () => ({ role: text, units: [text, text] }));

  const alerts = Array.from({ length: 5 }, () => alertMadeOf(text));
  // An id that is short enough for a button, so that the buttons are rendered.
  const linkedAlert = { ...alertMadeOf(text), id: 'a1' };
  const name = text.slice(0, 90);
  const identifier = text.slice(0, limits.optionValue);
  const search = {
    ...{ ...defaultSearch, severities: [identifier], types: [identifier, 'y'], policy: name },
    ...{ since: '2026-11-01', words: [name] },
  };

  return {
    alertListMessage: [
      alertListMessage({
        ...{ search, now: at, pageNumber: 2, asOf: '2026-11-21T12:00:00Z', shown: '' },
        ...{ alerts, matched: alerts, hasMore: true, isComplete: false },
        stopped: { examinedCount: 9, backTo: text },
      }),
    ],
    alertModal: [true, false].map((mayClear) =>
      alertModal(linkedAlert, { canChange: true, mayClear, channelId: 'C1' }),
    ),
    filterModal: [filterModal(search, { severities: ['error', 'x'], types: ['y'] }, 'C1')],
    noteModal: [noteModal(linkedAlert, 'C1')],
    clearModal: [clearModal(linkedAlert, 'C1')],
    changeMessage: [
      ...(['cleared', 'was-cleared', 'noted', 'note-removed', 'same-note'] as const).map((result) =>
        changeMessage({ result, alert: linkedAlert }),
      ),
      changeMessage({ result: 'note-changed', alert: linkedAlert, typed: text }),
      changeMessage({ result: 'unconfirmed', alert: linkedAlert }),
    ],
    alertGoneModal: [alertGoneModal(text)],
    auditListMessage: [
      ...[0, 10, 20].map((from) =>
        auditListMessage({
          records: logEvents.slice(from, from + 10).map((event) => auditRecordMadeOf(text, event)),
          page: { by: 'U1', user: text.slice(0, 200), event: 'denied', since: at.toISOString() },
          hasNewer: true,
          hasOlder: true,
          range: { start: 991, total: 1000, isTotalComplete: false },
        }),
      ),
      auditListMessage({
        ...{ records: [], page: { user: text.slice(0, 200), typed: text.slice(0, 300) } },
        ...{ hasNewer: false, hasOlder: false, range: undefined },
      }),
    ],
    checkpointMessage: [checkpointMessage({ seq: 42, hash: text })],
    checkpointsMissingMessage: [checkpointsMissingMessage(at)],
    checkpointsResumedMessage: [checkpointsResumedMessage(at)],
    complianceListMessage: [
      complianceListMessage(
        Array.from({ length: 30 }, () => ({
          policy,
          reading: { outcome: 'read' as const, statistics: { otherFields: { [text]: text } } },
        })),
        { unreadCount: 3 },
      ),
    ],
    severalPoliciesMessage: [
      severalPoliciesMessage(
        text,
        Array.from({ length: 30 }, () => policy),
      ),
    ],
    unknownPolicyMessage: [unknownPolicyMessage(text, [policy])],
    unlistedPolicyUnknownMessage: [unlistedPolicyUnknownMessage(text)],
    policyComplianceMessage: [
      policyComplianceMessage(policy, { hasSeedingEntities: true, otherFields: { [text]: text } }),
    ],
    noStatisticsMessage: [noStatisticsMessage(policy)],
    withLateness: [
      withLateness(notice(`Late: ${safe(text)}`), { lateMs: 200_000, verb: 'updated' }),
    ],
    summaryMessage: [true, false].flatMap((isLast) =>
      [undefined, { from: new Date('2026-03-01T12:00:00Z'), to: at }].map((raised) =>
        summaryMessage({
          ...{ title: text, counts: { [text]: 2000, x: 1 } },
          ...{ since: at, lastAt: at, raised, isLast, now: at },
        }),
      ),
    ),
    unreachableMessage: [0, 1, 12].map((count) =>
      unreachableMessage('C1', {
        dropped: count,
        paused: [
          { noun: 'watch', plural: 'watches', command: '/belay watch', count },
          { noun: 'digest', plural: 'digests', command: '/belay digest', count },
        ].filter((paused) => paused.count > 0),
      }),
    ),
    helpMessage: [helpMessage([subcommand])],
    unknownMessage: [unknownMessage(text, 'alerts')],
    requestModal: verbs.flatMap((verb) =>
      users.map((one) => requestModal(verb, one, { channelId: 'C1', deleteGraceMinutes: 30 })),
    ),
    chooseModal: [chooseModal('delete', text, found, 'C1')],
    userCard: users.map((one) => userCard(one, access)),
    userListMessage: [userListMessage(text, found)],
    noUserMessage: [noUserMessage(text)],
    ...everySetupView(text, region),
    ...everyApprovalView(text),
    ...everyDoctorView(text),
    ...everyDigestView(text),
    ...everyWatchView(text),
  };
}

const region: Region = {
  id: 'us-west',
  label: 'US West',
  portal: 'west.portal.example',
  baseUrl: 'https://west.api.example',
  dialect: 'documented',
  requestsPerSecond: 50,
};

function auditRecordMadeOf(text: string, event: AuditEvent): AuditRecord {
  return {
    seq: 7,
    at,
    event,
    actor: 'U1',
    action: text,
    subjectId: text,
    facts: { reason: text },
    personal: event === 'requested' ? { reason: text, summary: text } : {},
    isErased: event !== 'requested',
    requestPersonal: event === 'approved' ? { summary: text, subject: text } : undefined,
  };
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
