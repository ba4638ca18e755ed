import type { Clock } from '../../../src/clock.ts';
import type { FaultOf } from './fault.ts';

const oneSecond = 1000;

/**
 * Counts the requests of each portal in the second before now, those refused not included, and
 * gives the refusal for one too many. The time to wait is rounded up, as whole seconds are all
 * that either spelling of Retry-After has.
 */
export function createRateLimit(
  { perSecond, retryAfter = 'seconds', afterActing }: FaultOf<'rate-limit'>,
  clock: Clock,
): (portalId: string) => FaultOf<'status'> | undefined {
  const passed = new Map<string, number[]>();

  return (portalId) => {
    const now = clock().getTime();
    const recent = (passed.get(portalId) ?? []).filter((time) => time > now - oneSecond);
    const isAllowed = recent.length < perSecond;
    passed.set(portalId, isAllowed ? [...recent, now] : recent);
    if (isAllowed) return undefined;

    const freeAt = (recent[0] ?? now) + oneSecond;
    return {
      kind: 'status',
      status: 429,
      headers: waitHeaders(retryAfter, now, freeAt),
      afterActing,
    };
  };
}

function waitHeaders(spelling: 'seconds' | 'date' | 'none', now: number, freeAt: number) {
  if (spelling === 'none') return {};
  const seconds = Math.ceil((freeAt - now) / oneSecond);
  if (spelling === 'seconds') return { 'retry-after': String(seconds) };
  const wholeSecond = Math.ceil(freeAt / oneSecond) * oneSecond;
  return { 'retry-after': new Date(wholeSecond).toUTCString() };
}
