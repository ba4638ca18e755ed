import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Another process holds the lock of the data directory. */
export class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError';
}

/**
 * Locks the data directory for this process: PGlite takes no lock, and two processes on one directory
 * silently lose each other's rows. Uses SQLite's exclusive lock, which the kernel releases even after
 * SIGKILL. Returns a function that releases it.
 * @throws {DirectoryInUseError}
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const lock = new DatabaseSync(`${directory}/instance.lock`, { timeout: 0 });
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch {
    lock.close();
    throw new DirectoryInUseError(
      `another process is using the folder ${directory}: stop that process or use another folder`,
    );
  }
  return () => lock.close();
}
