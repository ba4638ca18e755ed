import type { CallLimits } from '../../src/slack/interactions/recent-callers.ts';

/** A few people click for a whole company here, and random payloads must get past the limit. */
export const callLimits: CallLimits = { command: 60, click: 1_000_000 };
