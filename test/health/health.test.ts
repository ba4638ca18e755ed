import { describe, expect, it, onTestFinished } from 'vitest';
import { people } from '../../playground/people.ts';
import { createReadiness } from '../../src/health/readiness.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { shareWorld, startWorld, type World } from '../support/world.ts';

async function get({ belay }: Pick<World, 'belay'>, path: string) {
  const response = await fetch(`http://127.0.0.1:${belay.healthPort}${path}`);
  return { status: response.status, text: await response.text() };
}

async function readiness(world: Pick<World, 'belay'>) {
  const { status, text } = await get(world, '/readyz');
  return { code: status, ...JSON.parse(text) };
}

/** The samples of a metric, by labels. */
function samplesOf(metrics: string, name: string): Record<string, number> {
  const lines = metrics.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
}

describe('a running bot', () => {
  const world = shareWorld({ health: true });

  it('is live and ready, and serves nothing else', async () => {
    expect(await get(world(), '/livez')).toMatchObject({ status: 200 });
    expect(await readiness(world())).toEqual({
      code: 200,
      status: 'ready',
      checks: { process: 'running', database: 'ok', slack: 'ok' },
    });
    expect(await get(world(), '/slack/events')).toMatchObject({ status: 404 });
    const posted = await fetch(`http://127.0.0.1:${world().belay.healthPort}/metrics`, {
      method: 'POST',
    });
    expect(posted.status).toBe(405);
  });

  it('measures commands, calls and waiting work without naming anyone', async () => {
    const { ana, slack } = world();
    await ana.send('ops', '/belay alerts');
    await ana.seeMessage('Active alerts');
    await ana.send('ops', '/belay disable ana.silva@example.com');
    await ana.seeDialog('Disable');
    slack.failNext('users.info', 'ratelimited');
    await ana.send('ops', '/belay help');
    await ana.seeMessage('Reference');

    const { status, text } = await get(world(), '/metrics');
    expect(status).toBe(200);
    const count = (name: string) => samplesOf(text, `${name}_count`);
    // With those of setup.
    expect(count('belay_ack_seconds')).toMatchObject({ 'kind="command"': 4 });
    expect(count('belay_listener_seconds')).toMatchObject({ 'listener="/belay alerts"': 1 });
    expect(samplesOf(text, 'belay_listener_failures_total')).toEqual({
      'listener="/belay help"': 1,
    });
    expect(count('belay_slack_call_seconds')).toMatchObject({
      'method="users.info",outcome="rate-limited"': 1,
      'method="views.open",outcome="ok"': 2,
    });
    const serviceCalls = count('belay_service_request_seconds');
    expect(serviceCalls['method="GET",outcome="200"']).toBeGreaterThan(1);
    expect(samplesOf(text, 'belay_database_up')).toEqual({ '': 1 });
    expect(samplesOf(text, 'belay_replicas')).toEqual({ '': 1 });
    expect(samplesOf(text, 'belay_oldest_due_seconds')).toMatchObject({ 'kind="request"': 0 });
    expect(samplesOf(text, 'belay_audit_log_entries')['']).toBeGreaterThan(0);
    expect(samplesOf(text, 'belay_last_checkpoint_timestamp_seconds')['']).toBeGreaterThan(0);
    for (const id of [...Object.values(people), world().workspace.teamId, 'ana.silva']) {
      expect(text.toLowerCase()).not.toContain(id.toLowerCase());
    }
  });
});

it('is not ready from the beginning of the shutdown, and still live', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const world = await startWorld({
    health: true,
    isSetUp: false,
    async openDatabase() {
      const { close, ...opened } = await openAnyDatabase();
      return { ...opened, close: () => held.then(close) };
    },
  });
  onTestFinished(() => release());
  const stopping = world.belay.stop();
  expect(await readiness(world)).toMatchObject({ code: 503, checks: { process: 'stopping' } });
  expect(await get(world, '/livez')).toMatchObject({ status: 200 });
  release();
  await stopping;
  await expect(get(world, '/livez')).rejects.toThrow();
});

it('is not ready without its database, and says so in the metrics', async () => {
  const { db, isEmbedded, close } = await openAnyDatabase();
  onTestFinished(close);
  let isBroken = false;
  const breaking = db.withPlugin({
    transformQuery({ node }) {
      if (isBroken) throw new Error('connection terminated');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const world = await startWorld({
    health: true,
    isSetUp: false,
    openDatabase: async () => ({ db: breaking, isEmbedded, close: async () => undefined }),
  });
  onTestFinished(() => {
    isBroken = false;
  });
  isBroken = true;
  expect(await readiness(world)).toMatchObject({ code: 503, checks: { database: 'failed' } });
  const { text } = await get(world, '/metrics');
  expect(samplesOf(text, 'belay_database_up')).toEqual({ '': 0 });
  expect(samplesOf(text, 'belay_outbox_messages')).toEqual({});
});

it('is not ready in Socket Mode while the socket is down', async () => {
  const world = await startWorld({ health: true, isSetUp: false, socketMode: true });
  expect(await readiness(world)).toMatchObject({ code: 200, checks: { slack: 'ok' } });
  await world.slack.close();
  await expect
    .poll(() => readiness(world))
    .toMatchObject({ code: 503, checks: { database: 'ok', slack: 'failed' } });
});

it('is not ready before it has started, or when a check hangs', async () => {
  const { read, start, stop } = createReadiness(10);
  expect(await read()).toEqual({ isReady: false, checks: { process: 'starting' } });
  start({ database: () => new Promise(() => undefined) });
  expect(await read()).toMatchObject({ isReady: false, checks: { database: 'timed out' } });
  stop();
  expect(await read()).toEqual({ isReady: false, checks: { process: 'stopping' } });
});

it('is off unless a port is given', async () => {
  const { belay } = await startWorld({ isSetUp: false });
  expect(belay.healthPort).toBeUndefined();
});
