import { performance } from 'node:perf_hooks';
import { threadCpuUsage } from 'node:process';
import type { Clock } from '../../src/clock.ts';

/**
 * How long this thread wanted to run since its start while other programs had the processor, in
 * milliseconds. Slack's time limits exclude it: otherwise the app, which often runs in the same thread,
 * would miss them on a busy machine.
 */
export function starvedMs(): number {
  const { user, system } = threadCpuUsage();
  return performance.eventLoopUtilization().active - (user + system) / 1000;
}

/** Returns the time since this call in milliseconds, without the time that the thread was starved. */
export function startTiming(clock: Clock, starved: () => number): () => number {
  const from = { at: clock().getTime(), starved: starved() };
  return () => clock().getTime() - from.at - Math.max(0, starved() - from.starved);
}

/** Calls back after this time, unless the returned function is called first. */
export function startTimeLimit(limitMs: number, onPassed: () => void): () => void {
  const elapsedMs = startTiming(() => new Date(performance.now()), starvedMs);
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => {
      const leftMs = limitMs - elapsedMs();
      if (leftMs > 0) wait(Math.ceil(leftMs));
      else onPassed();
    }, ms);
  };
  wait(limitMs);
  return () => clearTimeout(timer);
}
