import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from '../../src/jobs/repeat.ts';
import { createLogger } from '../../src/logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = createLogger('silent');
const options = { name: 'job', intervalMs: 1000, limitMs: 60_000 };

function listen() {
  const lines: string[] = [];
  return { lines, log: createLogger('info', { write: (line) => void lines.push(line) }) };
}

it('runs once an interval, the first time after one', async () => {
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const stop = repeat({ ...options, name: 'count' }, work, silent);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(3000);
  expect(runs).toBe(3);
  await stop();
  await vi.advanceTimersByTimeAsync(3000);
  expect(runs).toBe(3);
});

it('never runs concurrently: a slow run delays the next one', async () => {
  const { resolve: end, promise: slow } = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) await slow;
  };
  const stop = repeat({ ...options, name: 'slow' }, work, silent);
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(2);
  await stop();
});

it('logs a failure once and then once a minute, continues, and logs its end', async () => {
  const { lines, log } = listen();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs < 100) throw new Error(`fault ${runs}`);
  };
  const stop = repeat({ ...options, name: 'approvals.sweep' }, work, log);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(runs).toBe(50);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"job":"approvals.sweep"');
  expect(lines[0]).toContain('fault 1');
  await vi.advanceTimersByTimeAsync(50_000);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('fault 61');
  expect(lines[1]).toContain('"failuresBefore":59');
  expect(lines[2]).toContain('works again');
  await stop();
});

it('logs a job that fails now and then no more often', async () => {
  const { lines, log } = listen();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs % 2 === 1) throw new Error('fault');
  };
  const stop = repeat(options, work, log);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lines.length).toBeLessThanOrEqual(4);
  await stop();
});

it('reports a run that hangs, aborts its signal and starts others, ever more rarely', async () => {
  const { lines, log } = listen();
  const signals: AbortSignal[] = [];
  const { resolve: end, promise: ended } = Promise.withResolvers<void>();
  const work = async (signal: AbortSignal) => {
    signals.push(signal);
    await ended;
  };
  // Fewer timers than one a second in a day, which take seconds on a busy machine.
  const stop = repeat({ ...options, intervalMs: 30_000 }, work, log);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('a repeated job hangs');
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(signals.length).toBeLessThan(15);
  end();
  await stop();
});

it('runs as before once a run that hung has ended', async () => {
  const { resolve: end, promise: ended } = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs === 1) await ended;
  };
  const stop = repeat(options, work, silent);
  await vi.advanceTimersByTimeAsync(61_000);
  end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toBe(12);
  await stop();
});

it('waits for the run in progress when it is stopped', async () => {
  const { resolve: end, promise: slow } = Promise.withResolvers<void>();
  const events: string[] = [];
  const work = async () => {
    await slow;
    events.push('ended');
  };
  const stop = repeat({ ...options, name: 'slow' }, work, silent);
  await vi.advanceTimersByTimeAsync(1000);
  const stopped = stop().then(() => events.push('stopped'));
  end();
  await stopped;
  expect(events).toEqual(['ended', 'stopped']);
});

it('aborts the signal of the run in progress when it is stopped', async () => {
  const signals: AbortSignal[] = [];
  const work = async (stopping: AbortSignal) => {
    signals.push(stopping);
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
  };
  const stop = repeat({ ...options, name: 'long' }, work, silent);
  await vi.advanceTimersByTimeAsync(1000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await stop();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
