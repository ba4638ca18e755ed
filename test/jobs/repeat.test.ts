import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from '../../src/jobs/repeat.ts';
import { createLogger } from '../../src/logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = createLogger('silent');

it('runs once an interval, the first time after one', async () => {
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const stop = repeat('count', 1000, work, silent);
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
  const stop = repeat('slow', 1000, work, silent);
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(2);
  await stop();
});

it('logs a failed run and continues', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  let runs = 0;
  const work = async () => {
    runs += 1;
    throw new Error(`fault ${runs}`);
  };
  const stop = repeat('approvals.sweep', 1000, work, log);
  await vi.advanceTimersByTimeAsync(2000);
  expect(runs).toBe(2);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"job":"approvals.sweep"');
  expect(lines[1]).toContain('fault 2');
  await stop();
});

it('waits for the run in progress when it is stopped', async () => {
  const { resolve: end, promise: slow } = Promise.withResolvers<void>();
  const events: string[] = [];
  const work = async () => {
    await slow;
    events.push('ended');
  };
  const stop = repeat('slow', 1000, work, silent);
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
  const stop = repeat('long', 1000, work, silent);
  await vi.advanceTimersByTimeAsync(1000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await stop();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
