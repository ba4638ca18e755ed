import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../src/logger.ts';
import { startTracing } from '../src/start-tracing.ts';
import { inSpan } from '../src/tracing.ts';
import { seconds, serviceAlert, shareWatching } from './features/watches/poll-stage.ts';
import { ask, heardBack, seeAgain } from './support/ask.ts';
import { type ReceivedSpan, startCollector } from './support/collector.ts';
import { startWorld } from './support/world.ts';

/**
 * How many statements each of these may run, without `begin` and `commit`, by the name of its span.
 * Increase a number only if the additional statement is needed.
 */
const maxStatements = {
  // With the roles and stand-ins, although most commands within ten seconds don't read them again.
  '/belay help': 4,
  '/belay alerts': 8,
  '/belay compliance': 5,
  '/belay policies': 4,
  // The form of a request, and the request.
  '/belay disable': 8,
  'users.request': 23,
  'approvals.approve': 17,
  // Disabling the user.
  'advance request': 24,
  // Updating all messages once, of which one is new: its place is recorded as soon as it is sent.
  'publish request': 8,
  // Two workers: the second one finds nothing due.
  'idle poll': 12,
  // Two of them for the owner of the alert, and the mutes of the channel.
  'poll with a new alert': 15,
};

/** PostgreSQL's `begin` and `commit` have spans, PGlite's don't. */
const isStatement = ({ attributes: { 'db.query.text': text } }: ReceivedSpan) =>
  text !== undefined && !/^(?:begin|commit|rollback)$/.test(text);
/** Work of others in the same trace. */
const otherWork = ['advance request', 'publish request', 'deliver message'];

/** The statements of every span with this name, without those of what it makes due. */
function statementsOf(name: string, spans: ReceivedSpan[]): string[][] {
  const below = ({ spanId }: ReceivedSpan): ReceivedSpan[] =>
    spans
      .filter((one) => one.parentSpanId === spanId)
      .filter((one) => !otherWork.some((start) => one.name.startsWith(start)))
      .flatMap((one) => [one, ...below(one)]);
  return spans
    .filter((span) => span.name === name)
    .map((span) =>
      below(span)
        .filter(isStatement)
        .map((one) => one.name),
    );
}

function expectFew(spans: ReceivedSpan[], names: (keyof typeof maxStatements)[]): void {
  for (const name of names) {
    const all = statementsOf(name, spans);
    expect(all, name).not.toEqual([]);
    for (const statements of all) {
      const counted = `${name} ran ${statements.join(', ')}`;
      expect(statements.length, counted).toBeLessThanOrEqual(maxStatements[name]);
    }
  }
}

test('commands, a request, its approval and its run need few statements', async () => {
  const { endpoint, spans } = await startCollector();
  const { ana, ben, belay } = await startWorld({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  await ana.send('ops', '/belay help');
  await ana.seeMessage('/belay alerts');
  await ana.send('ops', '/belay alerts');
  await ana.seeMessage('Active alerts');
  await ana.send('ops', '/belay compliance');
  await ana.seeMessage('Compliance');
  await ana.send('ops', '/belay policies');
  await ana.seeMessage('Policies');
  const request = await ask(ana, '/belay disable kim.lee@example.com');
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  await belay.stop();

  expectFew(spans(), [
    ...(['/belay help', '/belay alerts', '/belay compliance', '/belay policies'] as const),
    ...(['/belay disable', 'users.request', 'approvals.approve'] as const),
    ...(['advance request', 'publish request'] as const),
  ]);
});

const openWatching = shareWatching();

test('a poll of alerts needs few statements', async () => {
  const given = await openWatching('live');
  await given.setUp(await given.connect());
  const poller = given.startPoller();
  const { endpoint, spans } = await startCollector();
  const log = createLogger('silent');
  const tracing = await startTracing({ url: `${endpoint}/v1/traces`, sampleRatio: 1 }, log);
  onTestFinished(() => tracing.stop(0));
  const poll = (name: string) => {
    given.waitForNextPoll();
    return inSpan(name, {}, poller.poll.finish);
  };
  await poll('first poll');
  await poll('idle poll');
  given.service.putAlert(given.portal.id, serviceAlert('a1', seconds(1)));
  await poll('poll with a new alert');
  expect(given.queued).toHaveLength(1);
  await tracing.stop(5000);
  expectFew(spans(), ['idle poll', 'poll with a new alert']);
});
