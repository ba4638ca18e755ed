import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageFile = z.object({ version: z.string() });

/** The version of Belay that this process runs. */
export const version = packageFile.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
).version;
