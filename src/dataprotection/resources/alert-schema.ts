import { z } from 'zod';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

const text = optional(z.string());

/** A resource that an alert is about; `value` is its name. */
export type AlertEntity = z.output<typeof entitySchema>;
const entitySchema = lenientObject({ id: optional(idSchema), type: text, value: text });

/** `type` and `cause` as display texts; `description` says what to do. */
export type AlertDetails = z.output<typeof detailsSchema>;
const detailsSchema = lenientObject({
  type: text,
  cause: text,
  description: text,
  variables: optional(z.record(z.string(), z.string())),
});

/**
 * An individual alert. The contract defines only `id` and `updatedTimestamp` (§2 Resources and
 * their fields), the rest is from §10 The live dialect, so anything may be missing. Timestamps are
 * ISO 8601; `clearedTimestamp` is set once the alert is cleared; `raisedCount` counts occurrences
 * on the same entity. Types, severities and statuses are open sets.
 */
export type Alert = z.output<typeof alertSchema>;
export const alertSchema = lenientObject(
  {
    id: idSchema,
    type: text,
    cause: text,
    severity: text,
    status: text,
    notes: text,
    raisedCount: optional(z.number()),
    raisedTimestamp: text,
    updatedTimestamp: text,
    clearedTimestamp: text,
    consolidatedAlertId: optional(idSchema),
    primaryEntity: optional(entitySchema),
    parentEntity: optional(entitySchema),
    tags: optional(z.array(entitySchema)),
    details: optional(detailsSchema),
    etag: text,
  },
  { etag: '_etag' },
);
