import type { Random } from '../../playground/service/data/random.ts';
import type { Fault } from '../../playground/service/faults/fault.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';

/** The faults and the percentage of changes that get each; the others succeed. */
const faults: { name: string; outOf100: number; fault: (random: Random) => Fault }[] = [
  {
    name: 'slow',
    outOf100: 20,
    fault: (random) => ({ kind: 'slow', delayMs: random.integer(100, 1200) }),
  },
  {
    name: '500 after acting',
    outOf100: 12,
    fault: () => ({ kind: 'status', status: 500, afterActing: true }),
  },
  { name: '500 before acting', outOf100: 5, fault: () => ({ kind: 'status', status: 500 }) },
  { name: 'reset after acting', outOf100: 10, fault: () => ({ kind: 'reset', afterActing: true }) },
  { name: 'reset before acting', outOf100: 5, fault: () => ({ kind: 'reset' }) },
  {
    name: 'time-out after acting',
    outOf100: 5,
    fault: () => ({ kind: 'hang', afterActing: true }),
  },
];

/** A fault with its name; undefined if the change is to succeed. */
export function pickFault(random: Random): { name: string; fault: Fault } | undefined {
  let roll = random.integer(1, 100);
  for (const { name, outOf100, fault } of faults) {
    roll -= outOf100;
    if (roll <= 0) return { name, fault: fault(random) };
  }
  return undefined;
}

/** Sets a fault, or none, for the first PATCH and DELETE of this user; returns its name. */
export function chooseFault(service: ReferenceService, userId: string, random: Random): string {
  const picked = pickFault(random);
  if (!picked) return 'none';
  for (const method of ['PATCH', 'DELETE']) {
    service.addFault(picked.fault, { method, pathPrefix: `/users/${userId}`, times: 1 });
  }
  return picked.name;
}
