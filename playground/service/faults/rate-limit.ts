import type { Clock } from '../../../src/clock.ts';
import type { FaultOf } from './fault.ts';

const oneSecond = 1000;

/**
 * Counts each portal's accepted requests of the last second and returns the 429 for a request above
 * the limit. The wait is rounded up, because both formats of Retry-After have whole seconds.
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
