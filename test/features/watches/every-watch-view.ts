import { type AlertSearch, alertSearchSchema } from '../../../src/features/alerts/alert-search.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import {
  alertReplyMessage,
  watchedAlertMessage,
} from '../../../src/features/watches/views/alert-message.ts';
import { watchListMessage } from '../../../src/features/watches/views/watch-list-message.ts';
import { editWatchModal, newWatchModal } from '../../../src/features/watches/views/watch-modals.ts';
import {
  cannotPostMessage,
  connectionReplacedMessage,
  outageMessage,
  outageOverMessage,
  outageReplacedMessage,
  watchChangedMessage,
  watchEndedMessage,
  watchSetUpMessage,
} from '../../../src/features/watches/views/watch-notices.ts';
import type { Watch } from '../../../src/features/watches/watch.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { alertMadeOf } from '../alerts/hostile-alert.ts';

const now = new Date('2026-11-21T12:00:00Z');

/** The messages and modals of watches, with `text` wherever people or the service can put one. */
export function everyWatchView(text: string): Record<string, unknown[]> {
  const watch = watchMadeOf(text);
  // The reason is Belay's own text, in which quotes of the service are escaped.
  const outage = { reason: safe(text, 300), since: now };
  const alert = { ...alertMadeOf(text), status: 'cleared', clearedTimestamp: text };
  return {
    watchedAlertMessage: [watchedAlertMessage(alert), watchedAlertMessage({ ...alert, id: 'a1' })],
    alertReplyMessage: [
      alertReplyMessage(alert, {
        cleared: true,
        noted: true,
        severityBefore: text,
        change: { by: 'U1', what: 'noted' },
      }),
      alertReplyMessage(
        { id: 'a1', otherFields: {} },
        { cleared: false, noted: true, severityBefore: undefined, change: undefined },
      ),
    ],
    watchListMessage: [
      watchListMessage({
        watches: Array.from({ length: 20 }, () => ({ ...watch, outage })),
        ...{ resumed: 2, resumeProblem: outage.reason, mayChange: () => true, now },
      }),
      watchListMessage({ watches: [], resumed: 0, mayChange: () => false, now }),
    ],
    editWatchModal: [editWatchModal(watch, 'C1', builtInValues)],
    newWatchModal: ['C1', 'D1'].map((channelId) =>
      newWatchModal(watch.search, channelId, builtInValues),
    ),
    watchSetUpMessage: [watchSetUpMessage(watch, now)],
    watchChangedMessage: [watchChangedMessage(watch, 'U2', now)],
    watchEndedMessage: [watchEndedMessage(watch, 'U2', now)],
    outageMessage: [true, false].map((isPartial) =>
      outageMessage({ reason: outage.reason, isPartial }),
    ),
    outageOverMessage: [true, false].map((isCaughtUp) =>
      outageOverMessage({ since: new Date(0), until: new Date(60_000), isCaughtUp }),
    ),
    outageReplacedMessage: [outageReplacedMessage()],
    connectionReplacedMessage: [true, false].map(connectionReplacedMessage),
    cannotPostMessage: [true, false].map(cannotPostMessage),
  };
}

/** A watch with the longest filter that can be typed. */
function watchMadeOf(text: string): Watch {
  const value = text.slice(0, 100);
  return {
    id: '00000000-0000-4000-8000-000000000000',
    teamId: 'T1',
    connectionId: '00000000-0000-4000-8000-000000000001',
    channelId: 'C1',
    search: maxSearchLength(value),
    createdBy: 'U1',
    createdAt: now,
    changedBy: 'U2',
    changedAt: now,
    anchor: now,
    highWater: now,
    highWaterAlertId: text,
    postedCount: 3,
    countedCount: 4,
    pausedReason: "Belay couldn't post in this channel.",
  };
}

function maxSearchLength(value: string): AlertSearch {
  const search: AlertSearch = { status: 'active', sort: '-updated', policy: value, words: [value] };
  for (;;) {
    const longer = { ...search, words: [...search.words, value] };
    if (!alertSearchSchema.safeParse(longer).success) return search;
    search.words = longer.words;
  }
}
