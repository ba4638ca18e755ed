/**
 * How a service spells the interface: as documented, or as the public service speaks it today.
 * Only `src/dataprotection` tells them apart.
 */
export const dialects = ['documented', 'live'] as const;

export type Dialect = (typeof dialects)[number];
