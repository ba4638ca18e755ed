import { benchAuditLog } from './audit-log/bench-audit-log.ts';
import { benchClient } from './client/bench-client.ts';
import { benchDigest } from './digest/bench-digest.ts';
import { benchHome } from './home/bench-home.ts';
import { benchPage } from './page/bench-page.ts';
import { benchStart } from './start/bench-start.ts';
import { benchTracing } from './tracing/bench-tracing.ts';

const benches: Record<string, () => Promise<unknown>> = {
  'audit-log': benchAuditLog,
  client: benchClient,
  digest: benchDigest,
  tracing: benchTracing,
  start: benchStart,
  page: benchPage,
  home: benchHome,
};

const run = benches[process.argv[2] ?? ''];
if (run) {
  process.stdout.write(`${JSON.stringify(await run())}\n`);
} else {
  process.stderr.write(`Usage: npm run -s bench -- ${Object.keys(benches).join(' | ')}\n`);
  process.exitCode = 1;
}
