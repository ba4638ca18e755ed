import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Another process has the data directory open. */
export class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError';
}

/**
 * Takes the data directory for this process. PGlite itself takes no lock, and two processes on one
 * directory lose each other's rows without an error. SQLite's exclusive lock is released by the
 * kernel even on SIGKILL. Returns the release.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const lock = new DatabaseSync(`${directory}/instance.lock`, { timeout: 0 });
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch {
    lock.close();
    throw new DirectoryInUseError(
      `the data directory ${directory} is in use by another process; stop it or name another folder`,
    );
  }
  return () => lock.close();
}
