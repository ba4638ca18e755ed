import { setTimeout as wait } from 'node:timers/promises';
import { amount } from '../read-options.ts';
import { decidersOf, verifyLog } from '../replicas/check-log.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { approvers } from '../replicas/people.ts';
import { findUnfinishedWork, readApprovals } from '../replicas/read-approvals.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { readMoments } from '../replicas/watch-states.ts';
import { countBy, shorten, spread } from '../statistics.ts';
import { checkRace } from './check-race.ts';
import { type Click, clickAll, clickAtOnce, type Rival } from './click.ts';
import { openRace, type RaceSetup } from './open-race.ts';
import { type PostedRequest, postRequests } from './post-requests.ts';
import { requireRule } from './rule.ts';

const clicksOnOne = amount(1000, 100);

/**
 * Fewer if Belay, its database, Slack and the service share one process: above what that serves, calls
 * to Slack time out, and outages are judged in place of races.
 */
const requestsPerSecond = { inOneProcess: 5, inSeveral: 10 };

/**
 * Races many clicks on one request, then five people on each of many requests, of which every third
 * needs two of them, and checks both. With `rule`, each request needs three people of two groups.
 */
export async function race(
  serverUrl: string | undefined,
  {
    oauth = false,
    rule = false,
    processes = 4,
    requestCount = amount(200, 15),
  }: {
    oauth?: boolean;
    rule?: boolean;
    /** On PGlite always one. */
    processes?: number;
    /** At most 300. */
    requestCount?: number;
  },
) {
  const begun = performance.now();
  const setup = await openRace(serverUrl, { users: 400, oauth, processes });
  try {
    const { kind, replicas, testBed } = setup;
    if (rule) await requireRule(setup);
    const users = testBed.service.users(testBed.portal.id).slice(1);
    const subjects = users.filter((user) => user.is_enabled).slice(0, requestCount + 1);
    say(
      `${kind}, ${replicas.length === 1 ? '1 process' : `${replicas.length} processes`}: ${subjects.length} requests are being made.`,
    );
    const perSecond = requestsPerSecond[replicas.length === 1 ? 'inOneProcess' : 'inSeveral'];
    const [first, ...many] = await postRequests(setup, subjects);
    if (!first) throw new Error('no request was made');

    say(`${clicksOnOne} clicks on one request at the same moment.`);
    const onOne = await clickAtOnce(setup, first, clicksOnOneRequest());
    const violations = await settle(setup, onOne.length);
    const lastReplyMs = timeOfLastReply(testBed, onOne);
    if (!rule) await requireTwo(setup, many);
    say(`${many.length} requests with 5 rivals each, ${perSecond} requests a second.`);
    const onMany = await raceMany(setup, many, perSecond);
    const clicks = [...onOne, ...onMany];
    violations.push(...(await settle(setup, clicks.length)));

    violations.push(...(await checkRace(setup, [first, ...many], { clicks, rule })));
    violations.push(...unanswered(clicks));
    const { log, violations: breaks } = await verifyLog(setup.db, testBed);
    const ended = await readApprovals(setup.db);
    const tokens = checkTokens(testBed.slack);
    return {
      bench: 'race',
      database: kind,
      processes: replicas.length,
      one: { clicks: onOne.length, lastReplyMs, ...(await latencies(setup, [first], onOne)) },
      many: {
        requests: many.length,
        rivalsEach: 5,
        requestsPerSecond: perSecond,
        ...(await latencies(setup, many, onMany)),
      },
      ended: countBy(ended, ({ state }) => state),
      ...tokens.figures,
      log,
      seconds: Math.round((performance.now() - begun) / 1000),
      violations: shorten([...violations, ...breaks, ...tokens.violations]),
    };
  } finally {
    await setup.stop();
  }
}

function clicksOnOneRequest(): Rival[] {
  return Array.from({ length: clicksOnOne }, (_, index) => ({
    approver: approvers[Math.floor(index / 4) % approvers.length] ?? '',
    decision: 'approved',
    replica: index,
  }));
}

/** Disabling a user needs one approval, so the rows are changed to need two. */
async function requireTwo({ db }: RaceSetup, many: PostedRequest[]): Promise<void> {
  const ids = many.filter((_, index) => index % 3 === 0).map(({ approval: { id } }) => id);
  await db.updateTable('approval').set({ required_approvals: 2 }).where('id', 'in', ids).execute();
}

/** Starts requests at a constant rate, even if earlier ones are not finished. */
async function raceMany(
  setup: RaceSetup,
  many: PostedRequest[],
  perSecond: number,
): Promise<Click[]> {
  const begun = performance.now();
  const races = many.map(async (posted, index) => {
    const startsAt = begun + (index * 1000) / perSecond;
    await wait(Math.max(0, startsAt - performance.now()));
    return clickAll(setup, posted, rivalsOf(index));
  });
  return (await Promise.all(races)).flat();
}

/** Every approver once. For every second request, two of them deny. */
function rivalsOf(index: number): Rival[] {
  return approvers.map((_, place) => ({
    approver: approvers[(index + place) % approvers.length] ?? '',
    decision: index % 2 === 0 || place < 3 ? 'approved' : 'denied',
    replica: index + place,
  }));
}

const settleTimeoutMs = 60_000;

/** Waits until all work is done, and every click counted or refused. Unfinished work is a violation. */
async function settle({ db }: RaceSetup, clicks: number): Promise<string[]> {
  let unfinished: string[] = [];
  await waitFor(
    async () => {
      const { refused } = await db
        .selectFrom('audit_refusal')
        .select((eb) => eb.fn.sum('times').as('refused'))
        .executeTakeFirstOrThrow();
      unfinished = (await findUnfinishedWork(db)).filter((line) => !line.endsWith('is pending'));
      const counted = (await readApprovals(db)).flatMap(decidersOf).length;
      return unfinished.length === 0 && Number(refused) >= clicks - counted;
    },
    { forMs: settleTimeoutMs, everyMs: 250 },
  );
  return unfinished;
}

function unanswered(clicks: Click[]): string[] {
  const count = clicks.filter(({ ok }) => !ok).length;
  return count > 0 ? [`${count} clicks were not acknowledged in time`] : [];
}

/** Until the last person read that somebody else had decided. Milliseconds; NaN without a reply. */
function timeOfLastReply({ slack }: RaceSetup['testBed'], clicks: Click[]): number {
  const sentAt = Math.min(...clicks.map((click) => click.sentAt));
  const replies = slack.received.filter(({ via, at }) => {
    return via === 'response_url' && at.getTime() >= sentAt;
  });
  return (replies.at(-1)?.at.getTime() ?? Number.NaN) - sentAt;
}

async function latencies({ db, posts }: RaceSetup, posted: PostedRequest[], clicks: Click[]) {
  const decided = new Map<string, Date>();
  for (const { approvalId, state, at } of await readMoments(db)) {
    if (state === 'approved' || state === 'denied') decided.set(approvalId, at);
  }
  const edits = posts.edits();
  const sent = new Map(clicks.map(({ approvalId, sentAt }) => [approvalId, sentAt]));
  const since = ({ approval: { id } }: PostedRequest, at: Date | undefined) =>
    at ? [at.getTime() - (sent.get(id) ?? 0)] : [];
  return {
    clickToDecisionMs: spread(posted.flatMap((one) => since(one, decided.get(one.approval.id)))),
    clickToRedrawnMs: spread(
      posted.flatMap((one) => {
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
