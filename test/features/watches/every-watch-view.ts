import { addHours } from 'date-fns/addHours';
import { subDays } from 'date-fns/subDays';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import { configurationMessage } from '../../../src/features/configuration/views/configuration-message.ts';
import type { GroupChoice } from '../../../src/features/setup/index.ts';
import type { ComplianceWatch } from '../../../src/features/watches/compliance/compliance-watch.ts';
import {
  alertReplyMessage,
  endedSnoozeMessage,
  watchedAlertMessage,
} from '../../../src/features/watches/views/alert-message.ts';
import {
  complianceRoseMessage,
  editComplianceModal,
  formatComplianceWatch,
} from '../../../src/features/watches/views/compliance-watch-messages.ts';
import {
  connectionReplacedNotice,
  outageNotice,
  outageOverNotice,
  outageReplacedNotice,
} from '../../../src/features/watches/views/outage-notices.ts';
import {
  policyWatchAddedMessage,
  policyWatchExistsMessage,
  policyWatchText,
} from '../../../src/features/watches/views/policy-watch-messages.ts';
import { errorReminderMessage } from '../../../src/features/watches/views/reminder-message.ts';
import { watchListMessage } from '../../../src/features/watches/views/watch-list-message.ts';
import { editWatchModal, newWatchModal } from '../../../src/features/watches/views/watch-modals.ts';
import {
  askToWatchMessage,
  cannotPostMessage,
  formatWatch,
  watchChangeMessage,
} from '../../../src/features/watches/views/watch-notices.ts';
import type { PolicyWatch, Watch } from '../../../src/features/watches/watch.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { connectionRemovedMessage } from '../../../src/subscriptions/end-with-connection.ts';
import { sampleState } from '../alerts/every-state-view.ts';
import { channelId, sampleNow as now, people } from '../sample-place.ts';
import type { Samples } from '../samples.ts';
import { everyMuteView } from './every-mute-view.ts';

/** The messages and modals of watches, with `text` wherever people or the service can put one. */
export function everyWatchView(samples: Samples): Record<string, unknown[]> {
  const watch = watchMadeOf(samples);
  const ofPolicy = complianceWatchMadeOf(samples);
  const uncounted = { ...ofPolicy, lastReadAt: subDays(now, 1), nextReadAt: addHours(now, 1) };
  const policyWatch: PolicyWatch = ofPolicy;
  // The reason is Belay's own text, in which quotes of the service are escaped.
  const outage = { reason: safe(samples.problem, 300), since: now };
  const outageRef = { connectionId: 'c-1', since: new Date(0) };
  const [first = { id: 'a1', otherFields: {} }] = samples.alerts;
  const alert = { ...first, status: 'cleared', clearedTimestamp: first.updatedTimestamp };
  return {
    ...everyMuteView(watch, { reason: samples.problem, alerts: samples.alerts }),
    watchedAlertMessage: [
      watchedAlertMessage(alert),
      watchedAlertMessage({ ...alert, id: 'a1' }),
      watchedAlertMessage(first),
      watchedAlertMessage(first, sampleState),
    ],
    alertReplyMessage: [
      alertReplyMessage(alert, {
        cleared: true,
        noted: true,
        raisedAgain: false,
        notified: undefined,
        ended: undefined,
        severityBefore: samples.severity,
        change: { by: people.ana, what: 'noted' },
      }),
      alertReplyMessage(
        { id: 'a1', otherFields: {} },
        {
          cleared: false,
          noted: true,
          raisedAgain: true,
          severityBefore: samples.severity,
          change: undefined,
          notified: people.ana,
          ended: { notified: people.ana, isWorse: true },
        },
      ),
    ],
    endedSnoozeMessage: [true, false].map((isWorse) =>
      endedSnoozeMessage(first, { notified: people.ana, isWorse }),
    ),
    askToWatchMessage: [
      { matched: samples.alerts, isComplete: false },
      { matched: [], isComplete: true },
      outage.reason,
    ].map((read) =>
      askToWatchMessage(formatWatch(watch.search, now), read, {
        add: 'watch "mail"',
        view: 'alerts mail',
      }),
    ),
    watchListMessage: [
      watchListMessage({
        channelId,
        watches: Array.from({ length: samples.copies }, () => ({
          ...watch,
          pausedAt: undefined,
          outage,
        })),
        resumed: { alerts: 2, compliance: 1, policies: 2 },
        resumeProblem: outage.reason,
        mayChange: () => true,
        now,
        complianceWatches: [ofPolicy, uncounted],
        policyWatches: [{ ...policyWatch, outage }],
        findConnection: (originId) => ({ originId, name: samples.policyName, isNamed: true }),
      }),
      watchListMessage({
        channelId: 'D1',
        watches: [],
        resumed: {},
        complianceWatches: [],
        policyWatches: [],
        findConnection: () => undefined,
        mayChange: () => false,
        now,
      }),
    ],
    complianceRoseMessage: [3, undefined].map((lastCount) =>
      complianceRoseMessage({ ...ofPolicy, lastCount }, 12),
    ),
    policyWatchAddedMessage: [policyWatchAddedMessage(channelId, 15 * 60_000)],
    policyWatchExistsMessage: [1, 0].map((resumed) =>
      policyWatchExistsMessage(policyWatch, resumed),
    ),
    editComplianceModal: [editComplianceModal(ofPolicy, channelId)],
    editWatchModal: groupChoices(samples.policyName).map((groups) =>
      editWatchModal(
        watch,
        { channelId, timeZone: 'Europe/Berlin' },
        { known: builtInValues, groups },
      ),
    ),
    newWatchModal: [channelId, 'D1'].map((where) =>
      newWatchModal(
        watch.search,
        { channelId: where, timeZone: undefined },
        { known: builtInValues, groups: { groups: [], isCut: false } },
      ),
    ),
    errorReminderMessage: [undefined, 'S0SECURITY'].flatMap((group) =>
      [1, 12].map((count) =>
        errorReminderMessage(
          { afterMinutes: count === 1 ? 60 : 30, group },
          { count, alerts: samples.alerts.slice(0, count) },
        ),
      ),
    ),
    watchChangeMessage: [
      formatWatch(watch.search, now),
      formatComplianceWatch(ofPolicy),
      policyWatchText,
    ].flatMap((what) =>
      (['added', 'changed', 'ended'] as const).map((change) =>
        watchChangeMessage(channelId, change, { what, by: people.ben }),
      ),
    ),
    outageNotice: [true, false].map(
      (isPartial) =>
        outageNotice(outageRef, { reason: outage.reason, isPartial }, channelId).message,
    ),
    outageOverNotice: [
      { isEnded: false, anchor: undefined },
      { isEnded: false, anchor: now },
      { isEnded: true, anchor: now },
    ].map((of) => {
      const watches = [{ ...watch, ...of }];
      return outageOverNotice(outageRef, new Date(60_000), { watches, channelId }).message;
    }),
    connectionRemovedMessage: [true, false].map((isUnpinned) =>
      connectionRemovedMessage({
        name: samples.policyName,
        by: people.ana,
        channelId,
        isUnpinned,
        ended: [
          { noun: 'watch', plural: 'watches', count: 2 },
          { noun: 'digest', plural: 'digests', count: isUnpinned ? 0 : 1 },
          { noun: 'restore drill', plural: 'restore drills', count: isUnpinned ? 0 : 1 },
        ],
      }),
    ),
    configurationMessage: [undefined, 'default', samples.policyName].map((connection) => {
      const counts = {
        watches: { added: 2, changed: 1, removed: 0 },
        mutes: { added: 0, changed: 0, removed: connection === undefined ? 0 : 1 },
        'saved filters': { added: 1, changed: 0, removed: 0 },
        digests: { added: 0, changed: 0, removed: connection === undefined ? 1 : 0 },
      };
      const count = (family: keyof typeof counts) => counts[family];
      return configurationMessage({ by: people.ana, channelId, connection, count });
    }),
    outageReplacedNotice: [channelId, 'D1'].map(
      (place) => outageReplacedNotice(outageRef, place).message,
    ),
    connectionReplacedNotice: [true, false].map(
      (isResumed) => connectionReplacedNotice('c-1', { isResumed, channelId }).message,
    ),
    cannotPostMessage: [true, false].map(cannotPostMessage),
  };
}

function complianceWatchMadeOf({ policyName }: Samples): ComplianceWatch {
  return {
    id: '00000000-0000-4000-8000-000000000002',
    teamId: 'T1',
    channelId,
    originId: '00000000-0000-4000-8000-000000000003',
    policy: { id: 'p-1', name: policyName },
    maxCount: 3,
    createdBy: people.ana,
    createdAt: now,
    changedBy: people.ben,
    changedAt: now,
    lastCount: 9,
    lastReadAt: now,
    nextReadAt: now,
    pausedReason: "Belay couldn't post in this channel.",
  };
}

function groupChoices(name: string): GroupChoice[] {
  return [
    { groups: [{ id: 'S0SECURITY', name, handle: 'security' }], isCut: true },
    { groups: undefined, isScopeMissing: true },
    { groups: undefined, isScopeMissing: false },
  ];
}

function watchMadeOf(samples: Samples): Watch {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    teamId: 'T1',
    connectionId: '00000000-0000-4000-8000-000000000001',
    originId: '00000000-0000-4000-8000-000000000001',
    channelId,
    search: samples.watched,
    createdBy: people.ana,
    createdAt: now,
    changedBy: people.ben,
    changedAt: now,
    anchor: now,
    highWater: now,
    highWaterAlertId: samples.alerts[0]?.id,
    postedCount: 3,
    countedCount: 4,
    quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
    reminder: { afterMinutes: 30, group: 'S0SECURITY' },
    reminded: { at: undefined, count: 0 },
    pausedReason: "Belay couldn't post in this channel.",
  };
}
