import { z } from 'zod';

const duration = z.strictObject({ units: z.string().min(1), value: z.number().nonnegative() });

const sla = z.strictObject({ rpo_frequency: duration, retention_duration: duration });

const slaSet = z.strictObject({
  operation: z.string().min(1),
  // The contract contradicts itself about where this sits; its examples have it here.
  seed_setting: z.string().min(1),
  slas: z.array(sla).min(1),
});

/** What POST and PUT take: complete, since PUT replaces everything. Operations and units are open sets. */
export const policyBody = z.strictObject({
  name: z.string().trim().min(1),
  sla_sets: z.array(slaSet).min(1),
});
