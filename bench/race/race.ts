import { setTimeout as wait } from 'node:timers/promises';
import { verifyLog } from '../replicas/check-log.ts';
import { approvers } from '../replicas/crew.ts';
import { countBy, shorten, spread } from '../replicas/figures.ts';
import { findUnrest, readApprovals, readLog } from '../replicas/read-approvals.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { readMoments } from '../replicas/watch-states.ts';
import { checkRace } from './check-race.ts';
import { type Click, clickAll, type Rival } from './click.ts';
import { openRing, type Ring } from './open-ring.ts';
import { type Placed, placeRequests } from './place-requests.ts';

const clicksOnOne = 1000;
const requestCount = 200;
const requestsPerSecond = 10;

/** Rivals on one request, then on many, and what came of it. */
export async function race(serverUrl: string | undefined) {
  const begun = performance.now();
  const ring = await openRing(serverUrl, 400);
  try {
    const { kind, replicas, stage } = ring;
    const users = stage.service.users(stage.portal.id).slice(1);
    const subjects = users.filter((user) => user.is_enabled).slice(0, requestCount + 1);
    say(`${kind}, ${replicas.length} processes: ${subjects.length} requests are being made.`);
    const [first, ...many] = await placeRequests(ring, subjects);
    if (!first) throw new Error('nothing was asked for');

    say(`${clicksOnOne} clicks on one request at the same moment.`);
    const onOne = await clickAll(ring, first, crowd());
    const violations = await settle(ring, onOne.length - 1);
    say(`${many.length} requests with 5 rivals each, ${requestsPerSecond} requests a second.`);
    const onMany = await raceMany(ring, many);
    violations.push(...(await settle(ring, onOne.length - 1 + many.length * 4)));

    const clicks = [...onOne, ...onMany];
    violations.push(...(await checkRace(ring, [first, ...many], clicks)));
    violations.push(...unanswered(clicks));
    const { log, violations: breaks } = await verifyLog(ring.db, {
      env: stage.env,
      checkpointFiles: ring.checkpointFiles,
    });
    const ended = await readApprovals(ring.db);
    return {
      ...{ bench: 'race', database: kind, processes: replicas.length },
      one: { clicks: onOne.length, ...(await latencies(ring, [first], onOne)) },
      many: {
        ...{ requests: many.length, rivalsEach: 5, requestsPerSecond },
        ...(await latencies(ring, many, onMany)),
      },
      ended: countBy(ended, ({ state }) => state),
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten([...violations, ...breaks]),
    };
  } finally {
    await ring.stop();
  }
}

function crowd(): Rival[] {
  return Array.from({ length: clicksOnOne }, (_, index) => ({
    approver: approvers[Math.floor(index / 4) % approvers.length] ?? '',
    wish: 'approved',
    replica: index,
  }));
}

/** Requests come at a steady timings, whether or not the ones before are done. */
async function raceMany(ring: Ring, many: Placed[]): Promise<Click[]> {
  const begun = performance.now();
  const races = many.map(async (placed, index) => {
    const startsAt = begun + (index * 1000) / requestsPerSecond;
    await wait(Math.max(0, startsAt - performance.now()));
    return clickAll(ring, placed, rivalsOf(index));
  });
  return (await Promise.all(races)).flat();
}

/** Every approver once; at every second request two of them want to deny. */
function rivalsOf(index: number): Rival[] {
  return approvers.map((_, place) => ({
    approver: approvers[(index + place) % approvers.length] ?? '',
    wish: index % 2 === 0 || place < 3 ? 'approved' : 'denied',
    replica: index + place,
  }));
}

const patienceMs = 60_000;

/** Waits until all is done and on record; what is not done by then is a violation. */
async function settle({ db }: Ring, refusals: number): Promise<string[]> {
  let unrest: string[] = [];
  await waitFor(
    async () => {
      const refused = (await readLog(db)).filter(({ event }) => event === 'refused').length;
      unrest = (await findUnrest(db)).filter((line) => !line.endsWith('is pending'));
      return unrest.length === 0 && refused >= refusals;
    },
    { forMs: patienceMs, everyMs: 250 },
  );
  return unrest;
}

function unanswered(clicks: Click[]): string[] {
  const count = clicks.filter(({ ok }) => !ok).length;
  return count > 0 ? [`${count} clicks were not acknowledged in time`] : [];
}

async function latencies({ db, posts }: Ring, placed: Placed[], clicks: Click[]) {
  const decided = new Map<string, Date>();
  for (const { approvalId, state, at } of await readMoments(db)) {
    if (state === 'approved' || state === 'denied') decided.set(approvalId, at);
  }
  const edits = posts.edits();
  const sent = new Map(clicks.map(({ approvalId, sentAt }) => [approvalId, sentAt]));
  const since = ({ approval: { id } }: Placed, at: Date | undefined) =>
    at ? [at.getTime() - (sent.get(id) ?? 0)] : [];
  return {
    clickToDecisionMs: spread(placed.flatMap((one) => since(one, decided.get(one.approval.id)))),
    clickToRedrawnMs: spread(
      placed.flatMap((one) => {
        const edit = edits.find(({ messageTs }) => messageTs === one.post.messageTs);
        return since(one, edit?.at);
      }),
    ),
    clickToAnswerMs: spread(clicks.map(({ answerMs }) => Math.round(answerMs))),
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
