import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { traceStatement } from '../../src/database/trace-statement.ts';
import { inCallSpan, inSpan } from '../../src/tracing.ts';
import { amount } from '../read-options.ts';

const rounds = amount(1000, 20);

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
  const span = await compare(work, () => inSpan('span', {}, work), 2_000);
  const call = await compare(work, () => inCallSpan('call', {}, work), 2_000);
  const statement = await compare(
    () => select(plain),
    () => select(traced),
    10,
  );
  await pglite.close();
  return { span, call, statement };
}

/** Both take turns, and begin in turn: the first one finds colder caches. */
async function compare(
  plain: () => Promise<unknown>,
  wrapped: () => Promise<unknown>,
  calls: number,
): Promise<Cost> {
  const times: Record<'plain' | 'wrapped', number[]> = { plain: [], wrapped: [] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) times.plain.push(await timeOf(plain, calls));
    times.wrapped.push(await timeOf(wrapped, calls));
    if (round % 2 === 1) times.plain.push(await timeOf(plain, calls));
  }
  const [plainNs, wrappedNs] = [lowerQuartile(times.plain), lowerQuartile(times.wrapped)];
  return { plainNs, wrappedNs, addedNs: wrappedNs - plainNs };
}

async function timeOf(call: () => Promise<unknown>, calls: number): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < calls; count += 1) await call();
  return ((performance.now() - startedAt) * 1e6) / calls;
}

/** Not the median: whatever else the machine does only adds time. */
function lowerQuartile(values: number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 2] ?? 0);
}
