import { existsSync } from 'node:fs';
import { DirectoryInUseError } from '../database/embedded/directory-lock.ts';
import { type OpenDatabase, openDatabase } from '../database/open-database.ts';

/** Opens what Belay has; a mistyped folder is refused rather than made. */
export async function openExistingDatabase(url: string): Promise<OpenDatabase> {
  const folder = /^pglite:(.*)/.exec(url)?.[1];
  if (folder !== undefined && !existsSync(folder)) {
    throw new Error(`DATABASE_URL: there is no folder ${folder}.`);
  }
  try {
    return await openDatabase(url);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof DirectoryInUseError) {
      throw new Error(
        `Belay is running on ${folder}, which takes one process at a time: stop Belay, run this again, and start Belay.`,
        { cause: error },
      );
    }
    throw error;
  }
}
