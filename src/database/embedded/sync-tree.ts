import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls fsync for a folder and everything in it. PostgreSQL does not sync the files of its first start,
 * so that a power loss soon after could lose them.
 */
export function syncTree(folder: string): void {
  for (const path of [...readdirSync(folder, { recursive: true, encoding: 'utf8' }), '.', '..']) {
    const descriptor = openSync(join(folder, path), 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
