import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { traceStatement } from '../../src/database/trace-statement.ts';
import { inCallSpan, inSpan } from '../../src/tracing.ts';

const rounds = 21;

type Cost = { plainNs: number; wrappedNs: number; addedNs: number };

/**
 * What tracing costs while it is off, in nanoseconds: for a span (a Slack request, a listener, a job),
 * a call to the service or to Slack, and a statement, the fastest there is on the embedded database.
 */
export async function benchTracing() {
  const work = async () => 1;
  const pglite = await PGlite.create();
  const dialect = new PGliteDialect({ pglite });
  const [plain, traced] = [new Kysely({ dialect }), new Kysely({ dialect, log: traceStatement })];
  const select = (db: Kysely<unknown>) => sql`select 1`.execute(db);
  const span = await compare(work, () => inSpan('span', {}, work), 50_000);
  const call = await compare(work, () => inCallSpan('call', {}, work), 50_000);
  const statement = await compare(
    () => select(plain),
    () => select(traced),
    500,
  );
  await pglite.close();
  return { span, call, statement };
}

/** Medians over rounds in which both take turns, so that whatever else runs slows both. */
async function compare(
  plain: () => Promise<unknown>,
  wrapped: () => Promise<unknown>,
  calls: number,
): Promise<Cost> {
  const times: Record<'plain' | 'wrapped', number[]> = { plain: [], wrapped: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.plain.push(await timeOf(plain, calls));
    times.wrapped.push(await timeOf(wrapped, calls));
  }
  const [plainNs, wrappedNs] = [median(times.plain), median(times.wrapped)];
  return { plainNs, wrappedNs, addedNs: wrappedNs - plainNs };
}

async function timeOf(call: () => Promise<unknown>, calls: number): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < calls; count += 1) await call();
  return ((performance.now() - startedAt) * 1e6) / calls;
}

function median(values: number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);
}
