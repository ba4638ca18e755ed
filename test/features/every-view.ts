import { alertKey } from '../../src/features/alerts/alert-key.ts';
import { defaultSearch } from '../../src/features/alerts/alert-search.ts';
import { filterHelp } from '../../src/features/alerts/register.ts';
import { alertListMessage } from '../../src/features/alerts/views/alert-list-message.ts';
import { alertGoneModal, alertModal } from '../../src/features/alerts/views/alert-modal.ts';
import { changeMessage } from '../../src/features/alerts/views/change-message.ts';
import { clearModal, noteModal } from '../../src/features/alerts/views/change-modals.ts';
import { filterModal } from '../../src/features/alerts/views/filter-form.ts';
import { auditListMessage } from '../../src/features/audit/views/audit-list-message.ts';
import {
  checkpointMessage,
  checkpointsMissingMessage,
  checkpointsResumedMessage,
} from '../../src/features/audit/views/checkpoint-messages.ts';
import { periods } from '../../src/features/compliance/history.ts';
import { complianceListMessage } from '../../src/features/compliance/views/compliance-list-message.ts';
import {
  severalPoliciesMessage,
  unknownPolicyMessage,
  unlistedPolicyUnknownMessage,
} from '../../src/features/compliance/views/policy-choice.ts';
import {
  noStatisticsMessage,
  policyComplianceMessage,
} from '../../src/features/compliance/views/policy-compliance-message.ts';
import { helpTopics } from '../../src/features/help/topics.ts';
import {
  adminTopicMessage,
  choiceMessage,
  helpMessage,
  notConnectedMessage,
  overviewMessage,
  topicMessage,
  unknownMessage,
  unknownTopicMessage,
} from '../../src/features/help/views/help-message.ts';
import {
  installAgainMessage,
  welcomeMessage,
} from '../../src/features/installations/views/installer-messages.ts';
import { maxQueryLength, verbs } from '../../src/features/users/views/ids.ts';
import { inviteModal } from '../../src/features/users/views/invite-form.ts';
import { chooseModal, requestModal } from '../../src/features/users/views/request-modal.ts';
import { userListMessage } from '../../src/features/users/views/user-list-message.ts';
import { noUserMessage, userCard } from '../../src/features/users/views/user-message.ts';
import { watchSummaryButton } from '../../src/features/watches/views/watch-list-message.ts';
import { noAccessMessage, unreachableMessage } from '../../src/postings/outbox/loss-messages.ts';
import { withLateness } from '../../src/postings/outbox/send.ts';
import { summaryMessage } from '../../src/postings/outbox/summarize.ts';
import { refusalWarning } from '../../src/requests/views/requested-message.ts';
import { notice, section } from '../../src/slack/ui/blocks.ts';
import { commandButton } from '../../src/slack/ui/command-button.ts';
import { limits } from '../../src/slack/ui/limits.ts';
import { bold, safe } from '../../src/slack/ui/mrkdwn.ts';
import { everyBreakGlassView } from '../requests/break-glass/every-break-glass-view.ts';
import { everyApprovalView } from '../requests/every-approval-view.ts';
import { everyAccessView } from './access/every-access-view.ts';
import { everyAlertView } from './alerts/every-alert-view.ts';
import { savedNotes } from './alerts/every-saved-view.ts';
import { sampleState as state } from './alerts/every-state-view.ts';
import { historyOf, sampleHistory } from './compliance/sample-history.ts';
import { everyDigestView } from './digests/every-digest-view.ts';
import { everyDoctorView } from './doctor/every-doctor-view.ts';
import { everyDrillView } from './drills/every-drill-view.ts';
import { everyHomeView } from './home/every-home-view.ts';
import { everyEditorView } from './policies/every-editor-view.ts';
import { everyPolicyView } from './policies/every-policy-view.ts';
import { everyRestoreView } from './restores/every-restore-view.ts';
import { channelId, people, sampleNow } from './sample-place.ts';
import type { Samples } from './samples.ts';
import { everySetupView } from './setup/every-setup-view.ts';
import { everyTaskView } from './tasks/every-task-view.ts';
import { everyBulkView } from './users/every-bulk-view.ts';
import { everyWatchView } from './watches/every-watch-view.ts';

/**
 * Every builder of a message or modal, on `samples`. Keyed by the builder's name: a test compares the
 * keys with the exports of the features.
 */
export function everyView(samples: Samples): Record<string, unknown[]> {
  const { users, access, alerts, policies, typed } = samples;
  const found = { users: samples.foundUsers, isComplete: false };
  const [policy = { id: 'p-1', name: samples.policyName, statistics: { otherFields: {} } }] =
    policies;
  const [alert = { id: 'a1', otherFields: {} }] = alerts;
  // An id that is short enough for a button, so that the buttons are rendered.
  const linkedAlert = { ...alert, id: 'a1' };
  const parentEntity = { id: policy.id, type: 'policy', value: policy.name, otherFields: {} };
  const ofPolicy = { ...linkedAlert, parentEntity };
  const identifier = samples.severity.slice(0, limits.optionValue);
  const alertType = samples.alertType.slice(0, limits.optionValue);
  const policyName = samples.policyName.slice(0, 90);
  const word = samples.word.slice(0, 90);
  const search = {
    ...defaultSearch,
    severities: [identifier],
    types: [alertType, 'y'],
    policy: policyName,
    since: '2026-11-01',
    words: [word],
  };
  const list = {
    now: sampleNow,
    listedAt: sampleNow.toISOString(),
    asOf: '2026-11-21T12:00:00Z',
    shown: '',
  };
  const readings = policies.map(({ statistics, ...one }) => ({
    policy: one,
    reading: { outcome: 'read' as const, statistics },
  }));

  return {
    alertListMessage: [
      alertListMessage({
        ...list,
        search: defaultSearch,
        alerts,
        matched: alerts,
        hasMore: false,
        isComplete: true,
        stopped: undefined,
      }),
      alertListMessage(
        {
          ...list,
          search: defaultSearch,
          alerts,
          matched: alerts,
          hasMore: false,
          isComplete: true,
          stopped: undefined,
        },
        {
          states: new Map(alerts.map((one) => [alertKey(one), state])),
          notes: savedNotes(search),
          mayClear: true,
        },
      ),
      alertListMessage({
        ...list,
        search: defaultSearch,
        alerts: [ofPolicy],
        matched: [ofPolicy, ofPolicy],
        hasMore: true,
        isComplete: true,
        stopped: undefined,
      }),
      alertListMessage({
        ...list,
        search,
        shown: 'x'.repeat(60),
        alerts,
        matched: alerts,
        hasMore: true,
        isComplete: false,
        stopped: { examinedCount: 9, backTo: alert.updatedTimestamp },
      }),
      ...[defaultSearch, search].map((one) =>
        alertListMessage({
          ...list,
          search: one,
          alerts: [],
          matched: [],
          hasMore: false,
          isComplete: true,
          stopped: undefined,
        }),
      ),
    ],
    alertModal: [
      ...[true, false].map((mayClear) =>
        alertModal(linkedAlert, {
          canChange: true,
          mayNote: mayClear,
          mayClear,
          mayOwn: true,
          mayRelease: mayClear,
          state: mayClear ? state : undefined,
          channelId,
        }),
      ),
      alertModal(
        {
          ...linkedAlert,
          primaryEntity: { id: 'v1', type: 'aws_ebs_volume', value: word, otherFields: {} },
        },
        {
          canChange: false,
          mayNote: true,
          mayClear: true,
          mayOwn: false,
          mayRelease: false,
          state,
          canRestore: true,
          channelId,
        },
      ),
    ],
    filterModal: [filterModal(search, { severities: ['error', 'x'], types: ['y'] }, channelId)],
    noteModal: [noteModal(linkedAlert, channelId)],
    clearModal: [clearModal(linkedAlert, channelId)],
    changeMessage: [
      ...(['cleared', 'was-cleared', 'noted', 'note-removed', 'same-note'] as const).map((result) =>
        changeMessage({ result, alert: linkedAlert }),
      ),
      changeMessage({ result: 'note-changed', alert: linkedAlert, typed: samples.note }),
      changeMessage({ result: 'unconfirmed', alert: linkedAlert }),
    ],
    alertGoneModal: [alertGoneModal(alert.id)],
    auditListMessage: [
      ...[0, 10, 20].map((from) =>
        auditListMessage({
          records: samples.records.slice(from, from + 10),
          page: {
            by: people.ben,
            user: typed.slice(0, 200),
            event: 'denied',
            since: sampleNow.toISOString(),
          },
          hasNewer: true,
          hasOlder: true,
          range: { start: 991, total: 1000, isTotalComplete: false },
        }),
      ),
      auditListMessage({
        records: [],
        page: { user: typed.slice(0, 200), typed: typed.slice(0, 300) },
        hasNewer: false,
        hasOlder: false,
        range: undefined,
      }),
    ],
    checkpointMessage: [checkpointMessage({ seq: 42, hash: samples.hash })],
    checkpointsMissingMessage: [checkpointsMissingMessage(sampleNow)],
    checkpointsResumedMessage: [checkpointsResumedMessage(sampleNow)],
    complianceListMessage: [
      complianceListMessage(readings, { unreadCount: 3, history: sampleHistory(7) }),
      complianceListMessage(readings, { unreadCount: 0, start: 10, history: sampleHistory(90) }),
      complianceListMessage(readings, {
        unreadCount: 0,
        history: sampleHistory(30),
        isListed: false,
      }),
    ],
    severalPoliciesMessage: [severalPoliciesMessage(typed, policies)],
    unknownPolicyMessage: [unknownPolicyMessage(typed, [policy])],
    unlistedPolicyUnknownMessage: [unlistedPolicyUnknownMessage(typed)],
    policyComplianceMessage: [
      ...periods.map((period) =>
        policyComplianceMessage(
          policy,
          { ...policy.statistics, hasSeedingEntities: true },
          sampleHistory(period),
        ),
      ),
      policyComplianceMessage(policy, policy.statistics, historyOf([undefined, 3])),
      policyComplianceMessage(policy, policy.statistics, undefined),
    ],
    noStatisticsMessage: [noStatisticsMessage(policy)],
    withLateness: [
      withLateness(notice(`Late: ${safe(typed)}`), { lateMs: 200_000, verb: 'updated' }),
    ],
    summaryMessage: [true, false].flatMap((isLast) =>
      [undefined, { from: new Date('2026-11-19T12:00:00Z'), to: sampleNow }].map((raised) =>
        summaryMessage(
          {
            title: `policy “${samples.policyName}”`,
            counts: { [samples.severity]: 2000, warning: 1 },
            since: sampleNow,
            lastAt: sampleNow,
            raised,
            isLast,
            now: sampleNow,
          },
          watchSummaryButton('00000000-0000-4000-8000-000000000001'),
        ),
      ),
    ),
    unreachableMessage: [0, 1, 12].map((count) =>
      unreachableMessage(channelId, {
        dropped: count,
        paused: [
          { noun: 'watch', plural: 'watches', command: '/belay watch', count },
          { noun: 'digest', plural: 'digests', command: '/belay digest', count },
        ].filter((paused) => paused.count > 0),
      }),
    ),
    noAccessMessage: [0, 1, 12].map((count) =>
      noAccessMessage({
        paused: [
          { noun: 'watch', plural: 'watches', command: '/belay watch', count },
          { noun: 'digest', plural: 'digests', command: '/belay digest', count },
        ].filter((paused) => paused.count > 0),
      }),
    ),
    helpMessage: [helpMessage(helpTopics)],
    overviewMessage: [
      overviewMessage([
        section(
          `:hourglass: *1 request to decide*\n• disable ${bold(typed)}`,
          commandButton({ text: 'Review 1 request', line: 'requests waiting' }),
        ),
        section('*No watches in this channel*'),
      ]),
      overviewMessage([]),
    ],
    notConnectedMessage: [true, false].map(notConnectedMessage),
    topicMessage: helpTopics.map((topic) =>
      topicMessage(topic, [
        {
          ...topic,
          usage: topic.name,
          run: async () => undefined,
          ...(topic.name === 'alerts' ? { details: filterHelp } : {}),
        },
      ]),
    ),
    adminTopicMessage: helpTopics.map(adminTopicMessage),
    unknownTopicMessage: [unknownTopicMessage(typed, undefined)],
    unknownMessage: ['alerts', undefined].map((meant) => unknownMessage(typed, meant)),
    requestModal: verbs.flatMap((verb) =>
      users.map((one) => {
        const refusal = { result: 'no_approver' as const, reasons: [safe(typed, 200)] };
        const warning = one.isEnabled ? refusalWarning(refusal) : undefined;
        return requestModal(one, { verb, channelId }, { deleteGraceMinutes: 30, warning });
      }),
    ),
    chooseModal: [chooseModal(typed, found, { verb: 'delete', channelId })],
    inviteModal: [
      inviteModal(
        { email: typed, fullName: typed, role: typed, reason: typed.slice(0, 500) },
        { roles: new Map([['r1', word]]), units: new Map([['u1', word]]), user: undefined },
        { channelId, warning: safe(typed, 200), mayBreakGlass: true },
      ),
      ...users.map((user) =>
        inviteModal(
          { role: 'r1', unitIds: ['u1'], fullName: user.fullName },
          {
            roles: new Map([['r1', word]]),
            units: new Map(Array.from({ length: 120 }, (_, index) => [`u${index}`, word])),
            user,
          },
          { channelId },
        ),
      ),
    ],
    userCard: users.flatMap((one) => [
      userCard(one, { access, protection: undefined, verbs, canInvite: true }),
      userCard(one, { access, protection: undefined, verbs }),
      userCard(one, { access, protection: safe(typed, 200), verbs }),
      userCard(one, { access, protection: undefined, verbs: [] }),
    ]),
    userListMessage: [
      { ...found, total: 100 },
      { users: [...users], total: users.length, isComplete: true },
    ].flatMap((one) =>
      [
        { text: typed.slice(0, maxQueryLength), start: 15 },
        { text: '', state: 'disabled' as const, start: 0 },
      ].map((query) => userListMessage(query, one, new Map([['r1', typed]]))),
    ),
    choiceMessage: [
      choiceMessage('This opens a form:', [typed]),
      choiceMessage('What do you want to add?', ['watch all', 'digest new', 'x', 'y']),
    ],
    noUserMessage: [noUserMessage([typed, typed]), noUserMessage([typed], 'disabled')],
    welcomeMessage: [welcomeMessage()],
    installAgainMessage: [
      installAgainMessage('https://belay.example.com/slack/install', '7f3a21c4'),
    ],
    ...everyAlertView(linkedAlert, samples, { search, word, typed }),
    ...everyBulkView(samples),
    ...everySetupView(samples),
    ...joinViews(everyApprovalView(samples), everyBreakGlassView(samples)),
    ...everyDoctorView(samples.problem),
    ...everyHomeView(samples),
    ...everyAccessView(),
    ...everyDigestView(samples),
    ...everyPolicyView(samples),
    ...everyEditorView(samples),
    ...everyWatchView(samples),
    ...everyRestoreView(samples),
    ...everyTaskView(samples),
    ...everyDrillView(samples),
  };
}

/** For two lists with samples of the same builders. */
function joinViews(
  one: Record<string, unknown[]>,
  other: Record<string, unknown[]>,
): Record<string, unknown[]> {
  const names = Object.keys({ ...one, ...other });
  return Object.fromEntries(
    names.map((name) => [name, [...(one[name] ?? []), ...(other[name] ?? [])]]),
  );
}
