import { once } from 'node:events';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { callLimits } from '../replicas/call-limits.ts';
import { type BelayReport, belayOrders } from './messages.ts';

/** Belay as a child process: reports its memory every second, and ends with its parent. */
process.once('disconnect', () => process.exit(1));
const [message] = await once(process, 'message');
const config = readConfig(belayOrders.parse(message).env);
const belay = await startBelay(config, { callLimits, log: createLogger(config.logLevel) });
const report = (message: BelayReport) => process.send?.(message);
// Collecting garbage keeps Slack waiting, so it is done less often.
const measureMs = globalThis.gc ? 2000 : 1000;
const timer = setInterval(() => {
  globalThis.gc?.();
  report({ residentBytes: process.memoryUsage.rss() });
}, measureMs);
process.once('SIGTERM', async () => {
  clearInterval(timer);
  await belay.stop();
  process.exit(0);
});
if (belay.port !== undefined) report({ port: belay.port });
