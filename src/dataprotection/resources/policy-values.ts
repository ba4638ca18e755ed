import { z } from 'zod';
import type { ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import type { PolicyValues } from '../dialects/dialect-rules.ts';
import { isJsonObject } from '../json.ts';
import type { SlaSet } from './policy-schema.ts';

export type { PolicyValues } from '../dialects/dialect-rules.ts';

/** What the service is known to accept in a policy (§2 Resources and their fields: open sets). */
export function knownPolicyValues({ dialect }: Pick<ServiceClient, 'dialect'>): PolicyValues {
  return dialectRules[dialect].policyValues;
}

/** `HH:MM`, in the time zone of the policy or the service. */
type BackupWindow = { start?: string | undefined; end?: string | undefined };

/** The hours in which backups may run; a part that isn't `HH:MM` is left out. */
export function readBackupWindow(
  { otherFields = {} }: SlaSet,
  { windowField = '' }: PolicyValues,
): BackupWindow {
  const hours = windowSchema.safeParse(otherFields[windowField]).data;
  return { start: hours?.start_time, end: hours?.end_time };
}

/** The same set with other hours, or with none. Fields of the window that are not hours stay. */
export function withBackupWindow(
  slaSet: SlaSet,
  { start, end }: BackupWindow,
  { windowField }: PolicyValues,
): SlaSet {
  if (!windowField) return slaSet;
  const before = slaSet.otherFields?.[windowField];
  const kept = isJsonObject(before) ? before : {};
  const window = start && end ? { ...kept, start_time: start, end_time: end } : null;
  return { ...slaSet, otherFields: { ...slaSet.otherFields, [windowField]: window } };
}

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .optional()
  .catch(undefined);
const windowSchema = z.object({ start_time: time, end_time: time });
