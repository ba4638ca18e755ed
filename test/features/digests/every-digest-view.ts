import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import type { PolicyChange } from '../../../src/features/digests/collect/compare-policies.ts';
import type {
  ComplianceReport,
  DigestContents,
} from '../../../src/features/digests/collect/digest-contents.ts';
import type { Digest } from '../../../src/features/digests/digest.ts';
import { digestFormModal, fieldsOf } from '../../../src/features/digests/views/digest-form.ts';
import {
  changedMeanwhileMessage,
  digestListMessage,
  endedMessage,
  savedMessage,
  unchangedMessage,
} from '../../../src/features/digests/views/digest-list-message.ts';
import {
  digestFailedMessage,
  digestMessage,
} from '../../../src/features/digests/views/digest-message.ts';
import {
  digestChangedMessage,
  digestEndedMessage,
  digestSetUpMessage,
} from '../../../src/features/digests/views/digest-notice-message.ts';
import {
  cannotPostModal,
  previewModal,
} from '../../../src/features/digests/views/preview-modal.ts';
import { withErrors } from '../../../src/slack/ui/form.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import type { FindConnection } from '../../../src/workspace/choose-connection.ts';
import { recordedChanges } from '../policies/recorded-changes.ts';
import { channelId, sampleNow as now, people } from '../sample-place.ts';
import type { Samples } from '../samples.ts';
import { sampleSettings } from './store/digest-rows.ts';

const since = new Date('2026-11-20T12:00:00Z');
const digestId = '00000000-0000-4000-8000-000000000000';

/** All messages and modals of digests, with `text` wherever the service's text can appear. */
export function everyDigestView(samples: Samples): Record<string, unknown[]> {
  const { alerts, policyName: name, watched } = samples;
  // A digest has room for a shorter filter than a watch.
  const words = watched.words.length > 1 ? watched.words.slice(1) : watched.words;
  const settings = { ...sampleSettings, search: { ...watched, words } };
  const [alert = { id: 'a1', otherFields: {} }] = alerts;
  const group = {
    alerts: [{ ...alert, id: 'a1' }, ...Array.from({ length: 12 }, (_, at) => alerts[at] ?? alert)],
    stopped: { examinedCount: 2000, backTo: since },
  };
  const statistics = { compliantCount: Number.MAX_VALUE, nonCompliantCount: 3 };
  const counts = (['nonCompliantCount', 'unprotectedCount', 'compliantCount'] as const).map(
    (count) => ({ count, from: 1, to: Number.MAX_VALUE }),
  );
  const changes = [
    { kind: 'policy-added' as const, name, statistics },
    { kind: 'policy-removed' as const, name, statistics },
    { kind: 'statistics-removed' as const, name, statistics },
    { kind: 'statistics-added' as const, name, statistics },
    ...Array<PolicyChange>(9).fill({ kind: 'changed', name, counts }),
  ];
  const compliance: ComplianceReport[] = [
    { result: 'failed' },
    { result: 'no-policies', hasBaseline: true },
    {
      result: 'read',
      readings: [{ policy: { id: name, name }, statistics }],
      unreadCount: 7,
      failedCount: 2,
      incomparableCount: 3,
      changes,
      hasBaseline: true,
    },
  ];
  const empty: DigestContents = {
    newAlerts: undefined,
    openAlerts: undefined,
    clearedAlerts: undefined,
    compliance: undefined,
    changedPolicies: undefined,
    pendingRequestCount: undefined,
    tokenExpiresAt: undefined,
  };
  const full = compliance.map((news) => ({
    newAlerts: group,
    openAlerts: group,
    clearedAlerts: group,
    compliance: news,
    pendingRequestCount: 3,
    tokenExpiresAt: now,
    unreviewedRuns: { count: 2, link: '<https://harbor-ops.slack.com/archives/C1/p1|View run>' },
    changedPolicies: {
      changes: Array.from({ length: 3 }, () => recordedChanges(samples)).flat(),
      isComplete: false,
      unreadSince: since,
      unobservedUntil: since,
      isListed: true,
    },
  }));
  const digests = [empty, ...full].map((contents) =>
    digestMessage({ settings, contents, since, now, lateFrom: since, channelId }),
  );
  const digest: Digest = {
    id: digestId,
    teamId: 'T1',
    originId: undefined,
    channelId,
    settings,
    createdBy: people.ana,
    createdAt: since,
    changedBy: people.ben,
    version: 1,
    nextRunAt: now,
    coveredUntil: since,
    dueAt: now,
    pausedReason: undefined,
  };
  const cause = safe(samples.problem, 500);
  const chosen = { channelId, digestId, settings };
  const findConnection: FindConnection = (originId) => {
    return { originId, name: samples.policyName, isNamed: true };
  };

  return {
    digestMessage: digests,
    digestFailedMessage: [digestFailedMessage(settings, { since, cause })],
    digestListMessage: [
      digestListMessage(channelId, [], { now, findConnection, mayChange: () => true, resumed: 0 }),
      digestListMessage(channelId, Array(Math.min(samples.copies, 10)).fill(digest), {
        now,
        findConnection,
        mayChange: () => true,
        resumed: 10,
      }),
      digestListMessage(channelId, Array(Math.min(samples.copies, 10)).fill(digest), {
        now: since,
        findConnection,
        mayChange: () => false,
        resumed: 1,
      }),
      digestListMessage(
        channelId,
        [{ ...digest, pausedReason: 'Belay could not post here anymore.' }],
        {
          now,
          findConnection,
          mayChange: () => true,
          resumed: 0,
        },
      ),
    ],
    digestSetUpMessage: [digestSetUpMessage(settings, people.ana)],
    digestChangedMessage: [
      digestChangedMessage(
        {
          before: sampleSettings,
          after: { ...settings, parts: ['approvals'], whenEmpty: 'silence' },
        },
        people.ana,
      ),
    ],
    digestEndedMessage: [digestEndedMessage(settings, people.ana)],
    changedMeanwhileMessage: [changedMeanwhileMessage(digest)],
    endedMessage: [endedMessage(digest)],
    unchangedMessage: [unchangedMessage(settings, 1)],
    savedMessage: [
      savedMessage(settings, { nextRunAt: now, resumed: 2 }),
      savedMessage(settings, { nextRunAt: undefined, resumed: 0 }),
    ],
    digestFormModal: [
      digestFormModal(fieldsOf(sampleSettings), { channelId }, builtInValues),
      withErrors(digestFormModal(fieldsOf(settings), { channelId, digestId }, builtInValues), {
        timeZone: samples.problem,
        words: samples.problem,
      }),
    ],
    cannotPostModal: [cannotPostModal(true), cannotPostModal(false)],
    previewModal: [...digests, { cause }].map((one) =>
      previewModal(chosen, one, { isSilent: true, nextRunAt: now, typedZone: samples.typed }),
    ),
  };
}
