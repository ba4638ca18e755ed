import { z } from 'zod';
import type { CallOptions, ServiceClient } from './client.ts';
import { idSchema, lenientObject, optional } from './lenient-object.ts';
import type { Page } from './page.ts';
import { listPages, listPagesFromEnd } from './paging.ts';

/** What an alert is about; `value` is its name. */
export type AlertEntity = {
  id?: string | undefined;
  type?: string | undefined;
  value?: string | undefined;
  otherFields: Record<string, unknown>;
};

/** `type` and `cause` in words for people; `description` says what to do. */
export type AlertDetails = {
  type?: string | undefined;
  cause?: string | undefined;
  description?: string | undefined;
  variables?: Record<string, string> | undefined;
  otherFields: Record<string, unknown>;
};

/**
 * An individual alert. The contract shows its id and `updatedTimestamp` only, so everything else
 * may be missing. Timestamps are ISO 8601 strings; `clearedTimestamp` is there once it is cleared;
 * `raisedCount` counts occurrences on the same entity. Types, severities and statuses are open
 * sets of words.
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

const entitySchema = lenientObject({
  id: optional(idSchema),
  type: text,
  value: text,
}).transform(({ fields, otherFields }): AlertEntity => ({ ...fields, otherFields }));

const detailsSchema = lenientObject({
  type: text,
  cause: text,
  description: text,
  variables: optional(z.record(z.string(), z.string())),
}).transform(({ fields, otherFields }): AlertDetails => ({ ...fields, otherFields }));

const alertSchema = lenientObject({
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
}).transform(
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

const path = ['alerts', 'individual'];

/**
 * Individual alerts, page by page (contract, section 4: GET /alerts/individual). The one
 * documented sort is by last update, ascending; `start` is the 1-based position to begin at.
 * Without a sort the order is the service's. Throws `ServiceError`.
 */
export function listAlerts(
  client: ServiceClient,
  { sort, start, signal }: CallOptions & { sort?: 'updated_timestamp'; start?: string } = {},
): AsyncGenerator<Page<Alert>> {
  return listPages(client, { path, query: { sort, start }, itemSchema: alertSchema }, { signal });
}

/**
 * Individual alerts from the most recently updated back, no alert twice. The service sorts only
 * ascending, so this walks back from the last page: two requests to the first page given, which
 * is as short as the last page of the list happens to be.
 */
export function listNewestAlerts(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<Alert>> {
  const query = { sort: 'updated_timestamp' };
  return listPagesFromEnd(client, { path, query, itemSchema: alertSchema }, options);
}

/** One alert (contract, section 4: GET /alerts/individual/{alert_id}). May throw `NotFoundError`. */
export function readAlert(
  client: ServiceClient,
  alertId: string,
  { signal }: CallOptions = {},
): Promise<Alert> {
  return client.send({ method: 'GET', target: [...path, alertId], signal }, alertSchema);
}
