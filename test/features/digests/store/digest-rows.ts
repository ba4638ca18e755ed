import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import { serveAll } from '../../../../src/database/served-teams.ts';
import type { Database } from '../../../../src/database/tables.ts';
import { defaultSearch } from '../../../../src/features/alerts/alert-search.ts';
import {
  type Claim,
  type DigestSettings,
  firstPeriodStart,
} from '../../../../src/features/digests/digest.ts';
import {
  createDigestStore,
  type DigestRun,
  type DigestStore,
  type NewDigest,
} from '../../../../src/features/digests/store/digest-store.ts';
import type { EnqueueMessages } from '../../../../src/postings/outbox/enqueue.ts';
import { newTeamId, noon } from '../../../requests/store/rows.ts';

export const sampleSettings: DigestSettings = {
  time: '13:00',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  timeZone: 'Europe/Berlin',
  parts: ['new', 'open', 'cleared', 'compliance', 'approvals', 'token'],
  whenEmpty: 'heartbeat',
  search: defaultSearch,
};

/** A day before the sample digest was created. */
export const firstPeriodFrom = new Date('2026-02-27T12:00:00Z');

const createdAt = new Date('2026-02-28T12:00:00Z');

/** Creates in a channel with at most three digests. */
export const upToThree = { max: 3 };

/** A digest of U_ANA, due at noon. */
export function newDigest(changes: Partial<NewDigest> = {}): NewDigest {
  return {
    id: randomUUID(),
    teamId: newTeamId(),
    originId: undefined,
    channelId: 'C1',
    settings: sampleSettings,
    createdBy: 'U_ANA',
    at: createdAt,
    nextRunAt: noon,
    sourceViewId: `V${randomUUID()}`,
    coveredUntil: firstPeriodStart(changes.at ?? createdAt),
    ...changes,
  };
}

type Queued = Parameters<EnqueueMessages>[1] & { subjects: string[] };

/** A store whose queue only records its input, unless another one is given. */
export function openDigestStore(db: Database, another?: EnqueueMessages) {
  const queued: Queued[] = [];
  const record: EnqueueMessages = async (_, to, outgoing) => {
    queued.push({ ...to, subjects: outgoing.map(({ subject }) => subject) });
    return [];
  };
  const store = createDigestStore(db, { enqueueMessages: another ?? record, isServed: serveAll });
  return { store, queued };
}

export function claimAt(now: Date, holder = randomUUID()) {
  return { holder, at: now, until: addMinutes(now, 2) };
}

/** Claims a due digest, if there is one. */
export async function claimNext(store: DigestStore, now = noon): Promise<Claim | undefined> {
  const [leased] = await store.leaseDue(claimAt(now), 1);
  return leased?.read();
}

/** Claims a due digest; throws if there is none. */
export async function claimDue(store: DigestStore, now = noon): Promise<Claim> {
  const claim = await claimNext(store, now);
  if (!claim) throw new Error('nothing was due');
  return claim;
}

export function runOf({ digest }: Claim, changes: Partial<DigestRun> = {}): DigestRun {
  return {
    at: noon,
    since: new Date('2026-02-28T12:00:00Z'),
    report: undefined,
    outgoing: {
      subject: `digest:${digest.id}:${digest.dueAt.toISOString()}`,
      message: { text: 'Digest' },
    },
    nextRunAt: new Date('2026-03-02T12:00:00Z'),
    ...changes,
  };
}
