import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../src/database/open-database.ts';
import { createLogger } from '../src/logger.ts';
import { createRequestWork } from '../src/requests/request-work.ts';
import { notice } from '../src/slack/ui/blocks.ts';
import { startTracing } from '../src/start-tracing.ts';
import { inSpan } from '../src/tracing.ts';
import { ops, startDeliveryStage } from './postings/outbox/stage.ts';
import { eightPm, newApproval, openApprovalStore } from './requests/store/rows.ts';
import { startCollector } from './support/collector.ts';
import { databases } from './support/databases.ts';

const log = createLogger('silent');

async function startTraces() {
  const { endpoint, spans } = await startCollector();
  const tracing = await startTracing({ url: `${endpoint}/v1/traces`, sampleRatio: 1 }, log);
  return async () => {
    await tracing.stop(5000);
    return spans();
  };
}

describe.each(databases())('work that is found in $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('is delivered by the outbox in the trace in which it was last queued', async () => {
    const endTraces = await startTraces();
    const stage = await startDeliveryStage(database.db);
    const queue = (text: string) => stage.queue([{ subject: 'a', message: notice(text) }]);
    await queue('before any trace');
    await stage.run(2);
    for (const name of ['first', 'second']) {
      await inSpan(name, {}, async () => void (await queue(name)));
      await stage.run(2);
    }
    expect(stage.texts(ops)).toEqual(['second']);

    const spans = await endTraces();
    const delivered = spans.filter(({ name }) => name === 'deliver message');
    const parents = delivered.map((one) => spans.find((s) => s.spanId === one.parentSpanId));
    expect(parents.map((parent) => parent?.name)).toEqual(['first', 'second']);
    expect(delivered.map(({ traceId }) => traceId)).toEqual(parents.map((one) => one?.traceId));
  });

  it('continues the trace of the last change when it is due', async () => {
    const endTraces = await startTraces();
    const { store } = openApprovalStore(database.db);
    const { teamId, id, ...rest } = await newApproval(database.db);
    await inSpan('asks', {}, async () => void (await store.create({ teamId, id, ...rest })));
    const advanced: string[] = [];
    const { finish } = createRequestWork({
      store,
      async advance(ref) {
        advanced.push(ref.id);
        await store.expire({ ...ref, at: eightPm });
      },
      publish: async () => undefined,
      clock: () => eightPm,
      log,
    });
    await finish();
    expect(advanced).toEqual([id]);

    const spans = await endTraces();
    const [asks] = spans.filter(({ name }) => name === 'asks');
    const [swept] = spans.filter(({ name }) => name === 'advance request');
    expect(swept).toMatchObject({ traceId: asks?.traceId, parentSpanId: asks?.spanId });
    const statement = { name: 'update approval', parentSpanId: swept?.spanId };
    expect(spans).toContainEqual(expect.objectContaining(statement));
  });

  it('leaves the code of a failed statement in the trace, but none of its values', async () => {
    const endTraces = await startTraces();
    const failing = sql`select id from approval where version = ${'canary'}::integer`;
    const run = () => failing.execute(database.db);
    await expect(inSpan('asks', {}, run)).rejects.toThrow('canary');

    const spans = await endTraces();
    expect(spans.filter(({ hasFailed }) => hasFailed)).toHaveLength(2);
    const attributes = expect.objectContaining({ 'error.type': '22P02' });
    expect(spans).toContainEqual(expect.objectContaining({ name: 'select approval', attributes }));
    expect(JSON.stringify(spans)).not.toContain('canary');
  });
});
