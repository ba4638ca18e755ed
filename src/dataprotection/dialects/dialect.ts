import type { DialectRules } from './dialect-rules.ts';
import { documentedRules } from './documented.ts';
import { liveRules } from './live.ts';

/** How a service spells the interface: as documented, or as the public service does today. */
export const dialects = ['documented', 'live'] as const;

export type Dialect = (typeof dialects)[number];

export const dialectRules: Readonly<Record<Dialect, DialectRules>> = {
  documented: documentedRules,
  live: liveRules,
};
