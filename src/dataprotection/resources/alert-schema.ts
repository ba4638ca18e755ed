import { z } from 'zod';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

/** A resource that an alert is about; `value` is its name. */
export type AlertEntity = {
  id?: string | undefined;
  type?: string | undefined;
  value?: string | undefined;
  otherFields: Record<string, unknown>;
};

/** `type` and `cause` as display texts; `description` says what to do. */
export type AlertDetails = {
  type?: string | undefined;
  cause?: string | undefined;
  description?: string | undefined;
  variables?: Record<string, string> | undefined;
  otherFields: Record<string, unknown>;
};

/**
 * An individual alert. The contract defines only `id` and `updatedTimestamp` (§2 Resources and
 * their fields), the rest is from §10 The live dialect, so anything may be missing. Timestamps are
 * ISO 8601; `clearedTimestamp` is set once the alert is cleared; `raisedCount` counts occurrences
 * on the same entity. Types, severities and statuses are open sets.
 */
export type Alert = {
  id: string;
  type?: string | undefined;
  cause?: string | undefined;
  severity?: string | undefined;
  status?: string | undefined;
  notes?: string | undefined;
  raisedCount?: number | undefined;
  raisedTimestamp?: string | undefined;
  updatedTimestamp?: string | undefined;
  clearedTimestamp?: string | undefined;
  consolidatedAlertId?: string | undefined;
  primaryEntity?: AlertEntity | undefined;
  parentEntity?: AlertEntity | undefined;
  tags?: AlertEntity[] | undefined;
  details?: AlertDetails | undefined;
  etag?: string | undefined;
  otherFields: Record<string, unknown>;
};

const text = optional(z.string());

const entitySchema = lenientObject(
  {
    id: optional(idSchema),
    type: text,
    value: text,
  },
  ({ fields, otherFields }): AlertEntity => ({ ...fields, otherFields }),
);

const detailsSchema = lenientObject(
  {
    type: text,
    cause: text,
    description: text,
    variables: optional(z.record(z.string(), z.string())),
  },
  ({ fields, otherFields }): AlertDetails => ({ ...fields, otherFields }),
);

export const alertSchema = lenientObject(
  {
    id: idSchema,
    type: text,
    cause: text,
    severity: text,
    status: text,
    notes: text,
    raised_count: optional(z.number()),
    raised_timestamp: text,
    updated_timestamp: text,
    cleared_timestamp: text,
    consolidated_alert_id: optional(idSchema),
    primary_entity: optional(entitySchema),
    parent_entity: optional(entitySchema),
    tags: optional(z.array(entitySchema)),
    details: optional(detailsSchema),
    _etag: text,
  },
  ({ fields, otherFields }): Alert => ({
    id: fields.id,
    type: fields.type,
    cause: fields.cause,
    severity: fields.severity,
    status: fields.status,
    notes: fields.notes,
    raisedCount: fields.raised_count,
    raisedTimestamp: fields.raised_timestamp,
    updatedTimestamp: fields.updated_timestamp,
    clearedTimestamp: fields.cleared_timestamp,
    consolidatedAlertId: fields.consolidated_alert_id,
    primaryEntity: fields.primary_entity,
    parentEntity: fields.parent_entity,
    tags: fields.tags,
    details: fields.details,
    etag: fields._etag,
    otherFields,
  }),
);
