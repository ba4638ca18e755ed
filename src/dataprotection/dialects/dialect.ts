/**
 * How a service spells the interface: as documented, or as the public service speaks it today.
 * Only `src/dataprotection` tells them apart.
 */
export const forms = ['documented', 'live'] as const;

export type Form = (typeof forms)[number];
