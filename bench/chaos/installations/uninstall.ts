import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '../../../playground/service/data/random.ts';
import { misusedTokens } from '../../../playground/slack/installations/misuses.ts';
import { verifyLog } from '../../replicas/check-log.ts';
import { waitFor } from '../../replicas/wait-for.ts';
import { countBy, shorten, spread } from '../../statistics.ts';
import type { InstallationsOptions, Outcome } from './options.ts';
import { findLeft, findUnended, plantedTexts } from './uninstall/check-left.ts';
import { startLoad } from './uninstall/load.ts';
import { installAndSetUp, openUninstallWorld, type UninstallWorld } from './uninstall/world.ts';

/** How Slack's two events arrive. */
const arrivals = ['once', 'reversed', 'twice', 'one only', 'late', 'never'] as const;
type Arrival = (typeof arrivals)[number];

type Moment = {
  arrival: Arrival;
  isKilled: boolean;
  requests: number;
  /** From the uninstall until nothing of the workspace was left. */
  goneMs: number;
  /** Calls with the ended token, except `auth.test`: before Belay recorded the uninstall, and after. */
  deadCalls: { before: number; after: number };
  /** How long after the uninstall was recorded the last of them arrived. */
  lastMs: number;
};

const maxGoneMs = 90_000;
/** How long the program watches for calls after the data is gone. */
const quietMs = 300;
/** For calls that were on their way when the installation ended, on a busy machine. */
const inFlightMs = 1000;

/**
 * Uninstalls Belay at random moments while requests run, and installs it again. Checks that no calls
 * with the ended token or to the service follow, that the database contains nothing of the workspace
 * except its audit log, and that the log verifies.
 */
export async function runUninstall({
  serverUrl,
  seed,
  logLevel,
  moments,
}: InstallationsOptions): Promise<Outcome> {
  const begun = performance.now();
  const random = createRandom(seed);
  const world = await openUninstallWorld(serverUrl, logLevel);
  const { testBed, db, fleet, names } = world;
  const violations: string[] = [];
  const done: Moment[] = [];
  try {
    for (let number = 1; number <= moments && violations.length < 20; number += 1) {
      const report = (fault: string) => void violations.push(`${number}: ${fault}`);
      await installAndSetUp(world, random.integer(0, 1));
      if (done.at(-1)?.arrival === 'late')
        await deliverEvents(world, ['app_uninstalled', 'tokens_revoked'], 10);
      const texts = plantedTexts(testBed);
      const moment = await uninstallOnce(world, random, report);
      if (!moment) break;
      done.push(moment);
      for (const left of await findLeft(db, texts)) report(left);
      for (const request of await findUnended(db)) report(request);
      testBed.service.reset();
      testBed.slack.reset();
      if (number % 10 === 0) process.stdout.write(`${number} uninstalls\n`);
    }
    const { log, violations: breaks } = await verifyLog(db, testBed);
    violations.push(...breaks, ...fleet.failures);
    return {
      violations: shorten(violations),
      figures: {
        moments: done.length,
        replicas: names.length,
        kills: done.filter(({ isKilled }) => isKilled).length,
        arrivals: countBy(done, ({ arrival }) => arrival),
        requests: done.reduce((sum, { requests }) => sum + requests, 0),
        deadCallsBefore: spread(done.map(({ deadCalls }) => deadCalls.before)),
        deadCallsAfter: spread(done.map(({ deadCalls }) => deadCalls.after)),
        lastDeadCallMs: spread(done.map(({ lastMs }) => lastMs)),
        goneMs: spread(done.map(({ goneMs }) => goneMs)),
        log,
        seconds: Math.round((performance.now() - begun) / 1000),
      },
    };
  } finally {
    await world.stop();
  }
}

async function uninstallOnce(
  world: UninstallWorld,
  random: Random,
  report: (fault: string) => void,
): Promise<Moment | undefined> {
  const { testBed, db, fleet } = world;
  const { slack, workspace, service } = testBed;
  const load = startLoad(world, random);
  await wait(random.integer(0, 4000));
  const arrival = random.pick(arrivals);
  const isKilled = random.chance(0.4);
  // The program delivers the events itself, as `arrival` says.
  workspace.app.events = [];
  await slack.uninstall(workspace.teamId);
  const uninstalledAt = performance.now();
  await deliverEvents(world, eventsOf(arrival));
  if (isKilled) {
    await wait(random.integer(0, 400));
    await fleet.kill(random.pick(fleet.running())?.name ?? '');
  }
  // The uninstall is recorded when its transaction commits, which is later than `uninstalled_at`.
  let lastActiveAt = new Date();
  const isGone = async () => {
    const at = new Date();
    const row = await db.selectFrom('installation').select('state').executeTakeFirst();
    if (row?.state === 'active') lastActiveAt = at;
    return row === undefined;
  };
  if (!(await waitFor(isGone, { forMs: maxGoneMs, everyMs: 50 }))) {
    report(`the installation was not removed (${arrival})`);
    return undefined;
  }
  const goneMs = Math.round(performance.now() - uninstalledAt);
  const requests = await load.stop();
  const calls = slack.calls.length;
  const lastServed = service.requests.at(-1);
  await wait(quietMs);
  for (const { method } of misusedTokens(slack.calls.slice(calls))) {
    report(`${method} was called with the dead token (${arrival})`);
  }
  if (service.requests.at(-1) !== lastServed) report(`the service was called (${arrival})`);
  const misused = misusedTokens(slack.calls).filter(({ method }) => method !== 'auth.test');
  const late = misused
    .map(({ method, at }) => ({ method, ms: at.getTime() - lastActiveAt.getTime() }))
    .filter(({ ms }) => ms > 0);
  for (const { method, ms } of late) {
    if (ms > inFlightMs)
      report(`${method} used the dead token ${ms} ms after the end (${arrival})`);
  }
  const lastMs = Math.max(0, ...late.map(({ ms }) => ms));
  const deadCalls = { before: misused.length - late.length, after: late.length };
  return { arrival, isKilled, requests, goneMs, deadCalls, lastMs };
}

function eventsOf(arrival: Arrival): string[] {
  switch (arrival) {
    case 'once':
      return ['tokens_revoked', 'app_uninstalled'];
    case 'reversed':
      return ['app_uninstalled', 'tokens_revoked'];
    case 'twice':
      return ['tokens_revoked', 'app_uninstalled', 'app_uninstalled', 'tokens_revoked'];
    case 'one only':
      return ['app_uninstalled'];
    default:
      return [];
  }
}

/** Delivers to any running replica, as Slack does. There may be none. */
async function deliverEvents(
  { testBed: { slack, workspace }, fleet }: UninstallWorld,
  types: string[],
  secondsAgo = 0,
): Promise<void> {
  for (const type of types) {
    slack.connectApp(fleet.running().at(-1)?.requestUrl ?? '');
    const tokens = { oauth: [], bot: [workspace.app.botUserId] };
    await slack.deliver('events_api', {
      type: 'event_callback',
      event_id: `Ev${performance.now()}`,
      token: 'legacy',
      team_id: workspace.teamId,
      api_app_id: workspace.app.appId,
      event_time: Math.floor(Date.now() / 1000) - secondsAgo,
      event: { type, ...(type === 'tokens_revoked' ? { tokens } : {}) },
    });
  }
}
