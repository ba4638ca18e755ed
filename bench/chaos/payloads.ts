import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../playground/service/data/random.ts';
import { sign } from '../../playground/slack/delivery.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { type Aim, atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { setUp, startTestBed, type TestBed } from '../replicas/test-bed.ts';
import { type BelayProcess, startBelayProcess } from '../storm/start-belay.ts';
import { flood } from './flood.ts';
import { foreignSeeds } from './foreign-seeds.ts';
import { type MutatedBody, mutate } from './mutate.ts';
import { canary, payloadSeeds, type Seed } from './payload-seeds.ts';

const concurrency = 16;
const answerMs = 10_000;
const floodedConnections = amount(10_000, 1000);
const maxAckMs = 500;
/** Nothing is to be done for payloads that Belay doesn't handle. */
const maxForeignMs = 1000;
/** From the median of the second fifth of the run to that of the last. */
const maxGrowth = 1.3;
/** A value a second: fewer don't show whether the process grows. */
const minSizes = 5;

type Figures = {
  statuses: Record<string, number>;
  slowestAckMs: number;
  refreshes: number;
  residentMb: { early: number; late: number };
  flood: { connections: number; requests: number; failed: number; slowestAckMs: number };
  aims: Aim[];
  violations: string[];
};

/**
 * Sends mutated, correctly signed payloads with every id of Belay, then strangers' connections beside
 * Slack's requests: nothing may crash, fail with a 5xx, grow, log what it must not, or keep Slack waiting.
 */
export async function chaosPayloads(options: {
  serverUrl: string;
  seed: number;
  payloads: number;
  /** Payloads of every kind in Slack's documentation, instead of those with an id of Belay. */
  foreign: boolean;
  oauth: boolean;
}): Promise<Figures & { seed: number }> {
  const testBed = await startTestBed({ users: 50, oauth: options.oauth });
  const { url: databaseUrl, drop } = await createDatabase(options.serverUrl);
  const leaks = watchLog(testBed);
  const belay = await startBelayProcess(
    { ...testBed.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'trace' },
    leaks.read,
  );
  await setUp(testBed, { requestUrl: belay.requestUrl, graceMinutes: 1 });
  try {
    const send = createSender(testBed, belay);
    const sent = await sendPayloads(send, { ...options, testBed, belay });
    const sizes = [...belay.sizes];
    const residentMb = { early: medianMb(sizes, 0.2, 0.4), late: medianMb(sizes, 0.8, 1) };
    const flooded = await sendBesideFlood(send, belay);
    const violations = [
      ...sent.violations,
      ...checkTokens(testBed.slack).violations,
      ...leaks.found(),
      ...(belay.isRunning() ? [] : ['Belay ended by itself']),
      ...(flooded.failed === 0 ? [] : ['a request beside the flood failed']),
    ];
    const { statuses, slowestAckMs } = sent;
    const aims = [
      atMost('Growth of its memory', residentMb.late / residentMb.early, maxGrowth, '×'),
      atMost('An acknowledgment beside the flood', flooded.slowestAckMs, maxAckMs, 'ms'),
      ...(options.foreign ? [atMost('The slowest answer', slowestAckMs, maxForeignMs, 'ms')] : []),
    ];
    const refreshes = sent.refreshes + testBed.slack.refreshes.length;
    return {
      seed: options.seed,
      statuses,
      slowestAckMs,
      refreshes,
      residentMb,
      flood: flooded,
      aims,
      violations: violations.slice(0, 20),
    };
  } finally {
    await belay.stop();
    await drop();
    await testBed.stop();
  }
}

type Send = (mutated: MutatedBody) => Promise<{ status: number; ms: number }>;

function createSender({ workspace }: TestBed, { requestUrl }: BelayProcess): Send {
  return async ({ contentType, body }) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const begun = performance.now();
    const response = await fetch(requestUrl, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': sign(workspace.app.signingSecret, timestamp, body),
      },
      body,
      signal: AbortSignal.timeout(answerMs),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: Math.round(performance.now() - begun) };
  };
}

async function sendPayloads(
  send: Send,
  {
    testBed: { slack },
    belay,
    seed,
    payloads,
    foreign,
  }: { testBed: TestBed; belay: BelayProcess; seed: number; payloads: number; foreign: boolean },
) {
  const random = createRandom(seed);
  const responseUrl = `${slack.url}/not-there`;
  const seeds = foreign ? foreignSeeds(responseUrl) : payloadSeeds(responseUrl);
  const statuses: Record<string, number> = {};
  const violations: string[] = [];
  let slowestAckMs = 0;
  let refreshes = 0;
  let next = 0;

  function forgetCalls(): void {
    violations.push(...checkTokens(slack).violations);
    refreshes += slack.refreshes.length;
    slack.reset();
  }

  function shouldContinue(): boolean {
    const isMeasured = belay.sizes.length >= minSizes || !belay.isRunning();
    return (next < payloads || !isMeasured) && violations.length < 20;
  }

  async function worker(): Promise<void> {
    while (shouldContinue()) {
      next += 1;
      const number = next;
      // What the local Slack records would fill the memory of this process.
      if (number % 5000 === 0) forgetCalls();
      const mutated = mutate(pickSeed(seeds, random), random, number);
      const { body } = mutated;
      try {
        const { status, ms } = await send(mutated);
        statuses[status] = (statuses[status] ?? 0) + 1;
        slowestAckMs = Math.max(slowestAckMs, ms);
        // Bolt answers 404 when nothing has acknowledged a payload within 3 s.
        if (status >= 500 || status === 404)
          violations.push(`${status} after ${ms} ms for payload ${number}: ${body.slice(0, 3000)}`);
      } catch (error) {
        violations.push(`no answer to payload ${number} (${error}): ${body.slice(0, 500)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { statuses, slowestAckMs, refreshes, violations };
}

function pickSeed(seeds: Seed[], random: Random): Seed {
  const [first, ...rest] = seeds;
  if (!first) throw new Error('no view has an id');
  return random.pick([first, ...rest]);
}

async function sendBesideFlood(send: Send, belay: BelayProcess) {
  const state = { isFlooding: true };
  const flooding = flood(new URL(belay.requestUrl), floodedConnections).finally(() => {
    state.isFlooding = false;
  });
  let requests = 0;
  let failed = 0;
  let slowestAckMs = 0;
  while (state.isFlooding) {
    requests += 1;
    const fields = {
      command: '/belay',
      text: 'help',
      team_id: 'T0HARBOR01',
      user_id: 'U0ANA00001',
    };
    const body = new URLSearchParams({ ...fields, n: `${requests}` }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    const answer = await send({ contentType, body }).catch(() => undefined);
    if (answer?.status !== 200) failed += 1;
    slowestAckMs = Math.max(slowestAckMs, answer?.ms ?? 0);
    await sleep(50);
  }
  return { connections: await flooding, requests, failed, slowestAckMs };
}

/** Looks for secrets and for what people typed in everything that Belay logs. */
function watchLog({ env, portal }: TestBed) {
  const secrets = new Map([
    ['the bot token', env.SLACK_BOT_TOKEN],
    // What every token begins with that Slack rotates.
    ['a rotating token', 'xoxe'],
    ['the client secret', env.SLACK_CLIENT_SECRET],
    ['the state secret', env.SLACK_STATE_SECRET],
    ['the signing secret', env.SLACK_SIGNING_SECRET],
    ['the encryption key', env.BELAY_ENCRYPTION_KEYS],
    ['the API token', portal.token],
    ['what somebody typed', canary],
  ]);
  const found = new Map<string, string>();
  return {
    read(line: string) {
      for (const [name, secret] of secrets) {
        if (secret && line.includes(secret)) found.set(name, line);
      }
    },
    found: () => [...found].map(([name, line]) => `${name} is in the log: ${line.slice(0, 500)}`),
  };
}

function medianMb(sizes: number[], from: number, to: number): number {
  const part = sizes.slice(Math.floor(sizes.length * from), Math.ceil(sizes.length * to));
  part.sort((a, b) => a - b);
  return Math.round((part[Math.floor(part.length / 2)] ?? 0) / 1024 / 1024);
}
