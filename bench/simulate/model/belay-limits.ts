import { schedule } from '../../../src/background.ts';
import { defaultPoolSize } from '../../../src/database/postgres-pool.ts';
import { maxConnectionsPerOrigin } from '../../../src/dataprotection/http/dispatcher.ts';
import {
  intervalHours,
  maxPerLook as samplesPerLook,
} from '../../../src/features/compliance/sample-compliance.ts';
import { maxPerLook as digestsPerLook } from '../../../src/features/digests/run-due-digests.ts';
import { defaultTimings } from '../../../src/features/watches/timings.ts';
import { timings as outbox } from '../../../src/postings/outbox/timings.ts';

/** How often Belay looks for work, and how much of it a process does at once. Times in seconds. */
export type BelayLimits = Record<
  | 'pollInterval'
  | 'pollTick'
  | 'concurrentPolls'
  | 'digestTick'
  | 'digestsPerLook'
  | 'serviceConnections'
  | 'deliveryTick'
  | 'concurrentPosts'
  | 'samplesPerSecond'
  | 'sampleInterval',
  number
>;

export const belayLimits: BelayLimits = {
  pollInterval: defaultTimings.pollIntervalMs / 1000,
  pollTick: schedule.pollWatches.intervalMs / 1000,
  concurrentPolls: defaultTimings.maxPolls,
  digestTick: schedule.runDigests.intervalMs / 1000,
  digestsPerLook,
  /** A process's connections to one region of the service. */
  serviceConnections: maxConnectionsPerOrigin,
  deliveryTick: schedule.deliver.intervalMs / 1000,
  concurrentPosts: outbox.maxConcurrent,
  samplesPerSecond: samplesPerLook / (schedule.sampleCompliance.intervalMs / 1000),
  sampleInterval: intervalHours * 3600,
};

/** To PostgreSQL, at most. */
export const connectionsPerProcess = defaultPoolSize;
