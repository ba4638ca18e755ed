import { readFileSync } from 'node:fs';

const startScript = readFileSync(new URL('start.sh', import.meta.url), 'utf8');

/** The arguments with which start.sh starts Node, for programs and tests that start Belay as it does. */
export const nodeArguments =
  /scripts\/node\.sh (.+) "\$@"$/m.exec(startScript)?.[1]?.split(' ') ?? [];
