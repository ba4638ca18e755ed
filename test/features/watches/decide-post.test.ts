import { expect, it } from 'vitest';
import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { createWatchMatcher, decidePost } from '../../../src/features/watches/decide-post.ts';
import type { SeenAlert, Watch } from '../../../src/features/watches/watch.ts';
import { noon, onePm } from '../../requests/store/rows.ts';
import { alertMadeOf } from '../alerts/hostile-alert.ts';

const watch: Watch = {
  id: 'w',
  teamId: 'T1',
  connectionId: 'c',
  originId: 'o',
  channelId: 'C1',
  search: defaultSearch,
  createdBy: 'U1',
  createdAt: noon,
  changedBy: undefined,
  changedAt: undefined,
  anchor: undefined,
  highWater: undefined,
  highWaterAlertId: undefined,
  postedCount: 0,
  countedCount: 0,
  quietHours: undefined,
  reminder: undefined,
  reminded: { at: undefined, count: 0 },
  pausedReason: undefined,
};
const alert: Alert = {
  ...alertMadeOf('x'),
  status: 'active',
  clearedTimestamp: undefined,
  notes: undefined,
  raisedTimestamp: noon.toISOString(),
  updatedTimestamp: onePm.toISOString(),
};
const countedInSummary: SeenAlert = {
  updatedAt: noon,
  raisedCount: 1,
  severity: alert.severity,
  notesHash: undefined,
  isCleared: true,
  notifiedAs: 'summary',
  readAt: noon,
  notifiedAt: noon,
  heldAt: undefined,
  mutedBy: undefined,
  errorSince: undefined,
};

it.each([
  ['for the first time', noon, { raisedCount: 1 }, undefined],
  [
    'for the first time by a service that does not count',
    noon,
    { raisedCount: undefined },
    undefined,
  ],
  ['again', onePm, { raisedCount: 2 }, undefined],
  ['again after it was posted', onePm, { raisedCount: undefined }, countedInSummary],
  [
    'at a time that cannot be read, so when it was updated',
    onePm,
    { raisedTimestamp: 'soon', raisedCount: 1 },
    undefined,
  ],
  [
    'at no time, so when it was updated',
    onePm,
    { raisedTimestamp: undefined, raisedCount: 1 },
    undefined,
  ],
  [
    'again, at no time that can be read',
    undefined,
    { updatedTimestamp: undefined, raisedCount: 2 },
    undefined,
  ],
  [
    'at no time that can be read',
    undefined,
    { raisedTimestamp: 'soon', updatedTimestamp: 'later', raisedCount: 1 },
    undefined,
  ],
])('uses the time when an alert was raised, or else updated: %s', (_, expected, changes, seen) => {
  const read = { key: 'a', alert: { ...alert, ...changes }, readAt: onePm };
  const stored = {
    seen,
    isMatch: createWatchMatcher(watch),
    state: undefined,
    holdOf: () => undefined,
  };
  const decision = decidePost(watch, read, stored);
  expect(decision).not.toBe('older');
  expect(decision !== 'older' && decision?.outgoing?.group?.raisedAt).toEqual(expected);
});
