import { z } from 'zod';

const isoTimestamp = z.iso.datetime({ offset: true });
const parts =
  /^(?<date>[\d-]+)[t ](?<time>\d\d:\d\d)(?<seconds>:\d\d(?:\.\d+)?)?(?:z|(?<hours>[+-]\d\d):?(?<minutes>\d\d))?$/i;

/**
 * Reads a timestamp of the service: ISO 8601 (§4 Endpoints) or RFC 3339 (§10 The live dialect), in
 * UTC when it names no offset. Undefined for anything else, so callers must decide what an
 * unreadable time means to them.
 */
export function parseTimestamp(text: string | undefined): Date | undefined {
  const found = parts.exec(text ?? '')?.groups;
  if (!found) return undefined;
  const { date, time, seconds = ':00', hours, minutes } = found;
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const parsed = isoTimestamp.safeParse(`${date}T${time}${seconds}${offset}`);
  return parsed.success ? new Date(parsed.data) : undefined;
}
