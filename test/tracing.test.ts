import { trace } from '@opentelemetry/api';
import { expect, test, vi } from 'vitest';
import { people } from '../playground/people.ts';
import { aReason, ask, heardBack } from './support/ask.ts';
import { type Collector, type ReceivedSpan, startCollector } from './support/collector.ts';
import { startWorld } from './support/world.ts';

const email = 'ana.silva@example.com';

function startTraced({ endpoint }: Pick<Collector, 'endpoint'>) {
  return startWorld({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
}

/** The one span with this name, of those given. */
function only(spans: ReceivedSpan[], name: string): ReceivedSpan {
  const [found, ...others] = spans.filter((span) => span.name === name);
  if (!found || others.length > 0) throw new Error(`not one ${name}: ${spans.map((s) => s.name)}`);
  return found;
}

/** The names from the root of the trace to this span. */
function pathTo(span: ReceivedSpan, spans: ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  if (span.parentSpanId && !parent) throw new Error(`the parent of ${span.name} is missing`);
  return [...(parent ? pathTo(parent, spans) : []), span.name];
}

test('a click on Approve and the change that follows are one trace', async () => {
  const collector = await startCollector();
  const { ana, ben, belay } = await startTraced(collector);
  await ben.press(await ask(ana, `/belay disable ${email}`), 'Approve');
  await heardBack(ana);
  await belay.stop();

  const all = collector.spans();
  const patch = only(all, 'PATCH /users/{id}');
  const trace = all.filter(({ traceId }) => traceId === patch.traceId);
  const click = ['Slack action', 'approvals.approve'];
  expect(pathTo(patch, trace)).toEqual([...click, 'advance request', patch.name]);
  expect(patch.attributes).toMatchObject({
    'http.request.method': 'PATCH',
    'http.response.status_code': '200',
    'service.name': 'belay',
  });
  const paths = trace.map((span) => pathTo(span, trace).join(' → '));
  expect(paths).toContain(`${click.join(' → ')} → Slack users.info`);
  expect(paths).toContain(`${click.join(' → ')} → update approval`);
  expect(paths).toContain(`${click.join(' → ')} → insert audit_log`);
  expect(paths.filter((path) => path.endsWith('→ Slack chat.update'))).not.toEqual([]);
  expect(trace.filter(({ hasFailed }) => hasFailed)).toEqual([]);
});

test('the reference of a failure finds its log line and its trace', async () => {
  const collector = await startCollector();
  const { ana, belay, service, logged } = await startTraced(collector);
  service.setFault({ kind: 'status', status: 500 });
  await ana.send('ops', '/belay alerts');
  const { text } = await ana.seeMessage('Reference ');
  const reference = /Reference (\w{8})/.exec(text)?.[1] ?? 'none';
  await belay.stop();

  const span = collector.spans().find((one) => one.attributes['belay.reference'] === reference);
  expect(span).toMatchObject({ name: '/belay alerts', hasFailed: true });
  const line = logged.find((one) => one.includes(`"reference":"${reference}"`)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ trace_id: span?.traceId, span_id: span?.spanId });
  expect(collector.spans()).toContainEqual(
    expect.objectContaining({
      traceId: span?.traceId,
      parentSpanId: span?.spanId,
      name: 'GET /alerts/individual',
      hasFailed: true,
      attributes: expect.objectContaining({ 'error.type': '500' }),
    }),
  );
});

test('the reference of a request finds the traces of its creation and of its run', async () => {
  const collector = await startCollector();
  const { ana, ben, belay, service, logged } = await startTraced(collector);
  const request = await ask(ana, `/belay disable ${email}`);
  service.setFault({ kind: 'status', status: 400 }, { method: 'PATCH' });
  await ben.press(request, 'Approve');
  const { text } = await heardBack(ana);
  const reference = /Reference (\w{8})/.exec(text)?.[1] ?? 'none';
  await belay.stop();

  const found = collector.spans().filter((one) => one.attributes['belay.reference'] === reference);
  expect(new Set(found.map(({ traceId }) => traceId)).size).toBe(2);
  expect(found.map(({ name }) => name)).toContain('advance request');
  const line = logged.find((one) => one.includes('an approved action failed')) ?? '{}';
  const { approvalId, trace_id } = JSON.parse(line);
  expect(approvalId).toMatch(new RegExp(`^${reference}`));
  expect(found.map(({ traceId }) => traceId)).toContain(trace_id);
});

test('no span holds a token, an address, a name, a text or the id of a person', async () => {
  const collector = await startCollector();
  const { ana, ben, belay, env, portal } = await startTraced(collector);
  await ana.send('ops', '/belay users canary-search');
  await ana.seeMessage('canary-search');
  await ben.press(await ask(ana, `/belay disable ${email}`), 'Approve');
  await heardBack(ana);
  await belay.stop();

  const exported = collector.bodies.join('\n');
  expect(exported).toContain('url.template');
  const secrets = [
    ...[portal.token, env.SLACK_BOT_TOKEN, env.SLACK_SIGNING_SECRET, env.BELAY_ENCRYPTION_KEYS],
    ...['example.com', 'Silva', 'canary-search', aReason, 'Bearer', 'xoxb'],
    ...Object.values(people),
  ];
  for (const secret of secrets) expect(exported).not.toContain(secret ?? 'unset');
});

test('a collector that is down costs one line of the log and nothing else', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '50');
  const { ana, ben, belay, logged } = await startTraced({ endpoint: 'http://127.0.0.1:1' });
  await ben.press(await ask(ana, `/belay disable ${email}`), 'Approve');
  await heardBack(ana);
  expect(await belay.stop()).toBe(true);
  const about = logged.filter((line) => JSON.parse(line).level > 30);
  expect(about).toEqual([expect.stringContaining('traces could not be exported')]);
  expect(about[0]).toContain('ECONNREFUSED');
  vi.unstubAllEnvs();
});

test('a collector that never answers does not delay the end of the process', async () => {
  const collector = await startCollector('never');
  const { belay } = await startTraced(collector);
  const since = performance.now();
  expect(await belay.stop()).toBe(true);
  expect(collector.bodies).not.toEqual([]);
  expect(performance.now() - since).toBeLessThan(5000);
});

test('without an endpoint nothing is traced, and log lines name no trace', async () => {
  const { ana, service, logged } = await startWorld();
  service.setFault({ kind: 'status', status: 500 });
  await ana.send('ops', '/belay users ana');
  await ana.seeMessage('Reference ');
  expect(logged.join()).not.toContain('trace_id');
  expect(trace.getActiveSpan()).toBeUndefined();
});
