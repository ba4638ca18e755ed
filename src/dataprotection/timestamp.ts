import { z } from 'zod';

const isoTimestamp = z.iso.datetime({ offset: true, local: true });
const withZone = /(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads a timestamp of the service: ISO 8601 (§4 Endpoints), in UTC when it names no offset.
 * Undefined for anything else, so callers must decide what an unreadable time means to them.
 */
export function parseTimestamp(text: string | undefined): Date | undefined {
  const parsed = isoTimestamp.safeParse(text);
  if (!parsed.success) return undefined;
  return new Date(withZone.test(parsed.data) ? parsed.data : `${parsed.data}Z`);
}
