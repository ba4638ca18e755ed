import { once } from 'node:events';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { addMilliseconds } from '../../src/dates.ts';
import { createLogger } from '../../src/logger.ts';
import { heartbeatMs } from '../../src/replicas/replicas.ts';
import { callLimits } from './call-limits.ts';
import { fasterTime, replicaConfig } from './replica-messages.ts';

/** A child process that runs one replica of Belay, and exits with its parent. */
process.once('disconnect', () => process.exit(1));
const [message] = await once(process, 'message');
const { env, timings, uninstallTimings, speed, aheadMs } = replicaConfig.parse(message);
const config = readConfig(env);
const belay = await startBelay(config, {
  callLimits,
  log: createLogger(config.logLevel),
  ...(timings ? { timings } : {}),
  ...(uninstallTimings ? { uninstallTimings, intervals: { checkInstallations: 500 } } : {}),
  ...(speed ? { clock: () => fasterTime(new Date(), speed), intervals: faster(speed.factor) } : {}),
  ...(aheadMs ? { clock: () => addMilliseconds(new Date(), aheadMs) } : {}),
});
process.once('SIGTERM', async () => {
  await belay.stop();
  process.exit(0);
});
process.send?.({ port: belay.port });

/** The intervals of the work that must keep up with the faster clock. */
function faster(factor: number) {
  return { beat: heartbeatMs / factor, observePolicies: 60_000 / factor };
}
