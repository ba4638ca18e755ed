import { expect, it } from 'vitest';
import { createLogger, type LogLevel } from '../src/logger.ts';

function record(level: LogLevel = 'info') {
  const lines: string[] = [];
  return { lines, log: createLogger(level, { write: (line) => void lines.push(line) }) };
}

it('writes one JSON line for each entry, without the host name', () => {
  const { log, lines } = record();
  log.info({ listener: '/belay' }, 'two\nlines');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]+\n$/);
  const { time, ...entry } = JSON.parse(lines[0] ?? '');
  expect(entry).toEqual({ level: 30, listener: '/belay', msg: 'two\nlines' });
  expect(time).toEqual(expect.any(Number));
});

it('writes nothing below its level', () => {
  const { log, lines } = record('warn');
  log.info('quiet');
  log.warn('heard');
  expect(lines.join()).toContain('heard');
  expect(lines.join()).not.toContain('quiet');
});

it.each(['token', 'authorization', 'email'])(
  'redacts %s at the top level and one level below',
  (name) => {
    const { log, lines } = record();
    log.info({ [name]: 'canary-1', inner: { [name]: 'canary-2' } }, 'careless');
    log.child({ [name]: 'canary-3' }).info('careless child');
    expect(lines.join()).not.toContain('canary');
    expect(lines.join()).toContain('[Redacted]');
  },
);

it("logs an error's message and causes, but not its other properties", () => {
  const { log, lines } = record();
  const cause = Object.assign(new TypeError('the root'), { body: 'canary-body' });
  const error = Object.assign(new Error('the fault', { cause }), {
    data: { token: 'canary-token' },
    serviceMessage: 'canary-message',
  });
  log.error({ err: error }, 'a listener failed');
  expect(lines.join()).not.toContain('canary');
  expect(JSON.parse(lines[0] ?? '').err).toEqual({
    name: 'Error',
    message: 'the fault',
    stack: expect.stringContaining('logger.test.ts'),
    cause: { name: 'TypeError', message: 'the root', stack: expect.any(String) },
  });
});

it('logs a thrown value that is not an Error', () => {
  const { log, lines } = record();
  log.error({ err: 'just text' }, 'odd');
  expect(JSON.parse(lines[0] ?? '').err).toEqual({ message: 'just text' });
});

it('handles an error that is its own cause', () => {
  const { log, lines } = record();
  const error: Error & { cause?: unknown } = new Error('a ring');
  error.cause = error;
  log.error({ err: error }, 'odd');
  expect(lines.join()).toContain('a ring');
});
