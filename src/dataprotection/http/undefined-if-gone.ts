import { NotFoundError } from './errors.ts';

/** The value, or undefined if the service answers that it has no such resource. */
export async function undefinedIfGone<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
