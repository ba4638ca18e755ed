import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a folder and everything in it through to the disk. PostgreSQL leaves what its first start
 * makes to the operating system, so a power cut soon after could take it away again.
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
