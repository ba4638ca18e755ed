/**
 * A service that writes from several machines may show an alert a moment after one that is newer.
 * So much before the high-water mark is read again; what was seen there is known.
 */
const latestArrivalMs = 5_000;

export function beforeLateArrivals(mark: Date): Date {
  return new Date(mark.getTime() - latestArrivalMs);
}
