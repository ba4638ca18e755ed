import { z } from 'zod';
import { createLogger, type Logger } from '../src/logger.ts';

const entry = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() });

/** The warnings and errors of the bot as lines for people, instead of JSON. */
export function createPlainLogger(write: (line: string) => void): Logger {
  return createLogger('warn', {
    write(json) {
      const { msg, err } = entry.parse(JSON.parse(json));
      write(`Belay: ${err ? `${msg}: ${err.message}` : msg}\n`);
    },
  });
}
