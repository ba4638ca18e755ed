import type { Logger } from '../../logger.ts';
import { type Check, type Finding, type Severity, warning } from './finding.ts';

/** All checks together finish in this time, even if something doesn't respond. */
const checkTimeoutMs = 4000;

const order: Severity[] = ['problem', 'warning', 'ok'];

/** Runs all checks at once and returns their findings, the worst first. */
export async function runChecks(
  checks: Check[],
  {
    describeCause,
    log,
    timeoutMs = checkTimeoutMs,
  }: { describeCause: (error: unknown) => string; log: Logger; timeoutMs?: number | undefined },
): Promise<Finding[]> {
  const tooLate = `no answer within ${timeoutMs / 1000} seconds.`;
  const found = await Promise.all(
    checks.map(async ({ area, run, timedOut = notChecked(area, tooLate) }): Promise<Finding[]> => {
      const signal = AbortSignal.timeout(timeoutMs);
      const { promise: late, resolve } = Promise.withResolvers<Finding[]>();
      signal.addEventListener('abort', () => resolve([timedOut]));
      const running = run(signal).catch((error: unknown) => {
        log.warn({ area, err: error }, 'a doctor check failed');
        return [notChecked(area, describeCause(error))];
      });
      return Promise.race([running, late]);
    }),
  );
  return found.flat().sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

function notChecked(area: string, cause: string): Finding {
  const remedy = 'Run the check again. If the check fails again, search the log for `doctor`.';
  return warning(area, `Not checked: ${cause}`, remedy);
}
