import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from '../../logger.ts';

/**
 * Bolt's and the Web API client's logger. Only warnings and errors pass, whatever Belay's level:
 * their debug log prints whole views and messages.
 */
export function createBoltLogger(log: Logger): BoltLogger {
  const child = log.child({ from: 'slack' });
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts: unknown[]) => child.warn(parts.map(String).join(' ')),
    error: (...parts: unknown[]) => child.error(parts.map(String).join(' ')),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
