import type { Readiness } from './health-server.ts';

/** Resolves if what it checks works; throws, or does not answer in time, if not. */
export type Check = () => Promise<unknown>;

const checkTimeoutMs = 2000;

/**
 * Whether this process can work. It can't before `start` (it is migrating the database or connecting)
 * and from `stop` on, so that a load balancer stops sending requests before the shutdown begins.
 */
export function createReadiness(timeoutMs = checkTimeoutMs) {
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  let checks: Record<string, Check> = {};
  return {
    start(started: Record<string, Check>): void {
      checks = started;
      phase = 'running';
    },
    stop(): void {
      phase = 'stopping';
      checks = {};
    },
    async read(): Promise<Readiness> {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await run(check, timeoutMs)]),
      );
      // The phase is read last: the shutdown may have begun meanwhile.
      const isReady = phase === 'running' && results.every(([, result]) => result === 'ok');
      return { isReady, checks: { process: phase, ...Object.fromEntries(results) } };
    },
  };
}

/** Without the error's text, which may name hosts and users. */
async function run(check: Check, timeoutMs: number): Promise<'ok' | 'failed' | 'timed out'> {
  const { promise: timedOut, resolve } = Promise.withResolvers<'timed out'>();
  const timer = setTimeout(() => resolve('timed out'), timeoutMs);
  const checked = check().then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
  return Promise.race([checked, timedOut]).finally(() => clearTimeout(timer));
}
