/** Locks the given folder, says so, and holds the lock until it is killed. */
import { writeSync } from 'node:fs';
import { lockDirectory } from '../../../src/database/embedded/directory-lock.ts';

const [, , folder = ''] = process.argv;
const release = lockDirectory(folder);
writeSync(1, 'held\n');
process.once('SIGTERM', release);
setInterval(() => undefined, 60_000);
