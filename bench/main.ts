import { type Aim, describeAim, isReached } from './aims.ts';
import { benchAuditLog } from './audit-log/bench-audit-log.ts';
import { benchClient } from './client/bench-client.ts';
import { benchDigest } from './digest/bench-digest.ts';
import { benchHome } from './home/bench-home.ts';
import { benchPage } from './page/bench-page.ts';
import { benchPolls } from './polls/bench-polls.ts';
import { benchStart } from './start/bench-start.ts';
import { benchTracing } from './tracing/bench-tracing.ts';

/** The aims of a result decide the exit code; benchmarks without aims set it themselves. */
const benches: Record<string, () => Promise<object & { aims?: Aim[] }>> = {
  'audit-log': benchAuditLog,
  client: benchClient,
  digest: benchDigest,
  tracing: benchTracing,
  start: benchStart,
  page: benchPage,
  polls: benchPolls,
  home: benchHome,
};

const run = benches[process.argv[2] ?? ''];
if (run) {
  const result = await run();
  const missed = result.aims?.filter((aim) => !isReached(aim)) ?? [];
  for (const aim of missed) process.stderr.write(`Missed: ${describeAim(aim)}\n`);
  if (missed.length > 0) process.exitCode = 1;
  process.stdout.write(`${JSON.stringify(result)}\n`);
} else {
  process.stderr.write(`Usage: npm run -s bench -- ${Object.keys(benches).join(' | ')}\n`);
  process.exitCode = 1;
}
