import { z } from 'zod';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import type { Alert, AlertDetails, AlertEntity } from './alerts.ts';

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
