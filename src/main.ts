import { startBelay } from './app.ts';
import { readConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { stopSignals } from './shutdown.ts';

try {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const belay = await startBelay(config, { log });
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    const isClean = await belay.stop();
    if (isClean) log.info('stopped cleanly');
    process.exit(isClean ? 0 : 1);
  };
  // Not `once`: a second signal would then end the process before it has stopped cleanly.
  for (const signal of stopSignals) process.on(signal, stop);
  log.info({ port: belay.port, host: config.host }, 'Belay is ready');
} catch (error) {
  // Mostly a wrong environment, which the operator can correct: one line, no stack.
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
  process.stderr.write(`Belay did not start: ${line}\n`);
  process.exit(1);
}
