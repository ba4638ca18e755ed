import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { etagOf, renderOnce } from '../http/render-page.ts';
import { errorResponse, invalidBody, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Alert } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './list-page.ts';

type Item = Owned<Alert>;

const filterTable: FilterTable<Item> = {
  type: { conditions: ['$in'], of: ({ resource }) => resource.type },
  status: { conditions: ['$in'], of: ({ resource }) => resource.status },
  severity: { conditions: ['$in'], of: ({ resource }) => resource.severity },
  raised_timestamp: { conditions: ['$lte', '$gte'], of: raisedAt },
  updated_timestamp: {
    conditions: ['$lte', '$gte'],
    of: ({ resource }) => resource.updated_timestamp,
  },
  cleared_timestamp: {
    conditions: ['$lte', '$gte'],
    of: ({ resource }) => resource.cleared_timestamp,
  },
  consolidated_alert_id: {
    conditions: ['$eq'],
    of: ({ resource }) => resource.consolidated_alert_id,
  },
  'primary_entity.id': { conditions: ['$eq'], of: ({ resource }) => resource.primary_entity?.id },
  'primary_entity.type': {
    conditions: ['$eq'],
    of: ({ resource }) => resource.primary_entity?.type,
  },
  'primary_entity.value': {
    conditions: ['$contains'],
    of: ({ resource }) => resource.primary_entity?.value,
  },
  'parent_entity.id': { conditions: ['$eq'], of: ({ resource }) => resource.parent_entity?.id },
  'parent_entity.type': {
    conditions: ['$eq'],
    of: ({ resource }) => resource.parent_entity?.type,
  },
};
const parentTogether = ['parent_entity.id', 'parent_entity.type'];

const sortFields = new Map<string, (item: Item) => string>([
  ['raised_timestamp', raisedAt],
  ['updated_timestamp', ({ resource }) => resource.updated_timestamp],
  ['cleared_timestamp', ({ resource }) => resource.cleared_timestamp ?? ''],
]);
const defaultSort = '-raised_timestamp';

export function listAlerts(context: RequestContext): ServiceResponse {
  const sort = context.query.get('sort') ?? defaultSort;
  const isReversed = sort.startsWith('-');
  const keyOf = sortFields.get(isReversed ? sort.slice(1) : sort);
  if (!keyOf) {
    const known = [...sortFields.keys()].join(', ');
    return errorResponse(
      400,
      `Alerts sort by one of ${known}, with - to reverse, not by "${sort}".`,
    );
  }
  const filter = parseFilter(context.query.get('filter'), filterTable, {
    together: parentTogether,
  });
  if (!filter.ok) return filter.rejection;

  const ascending = filter
    .apply(context.store.alerts.visibleIn(context.unit.id))
    .toSorted(by(keyOf));
  const items = isReversed ? ascending.reverse() : ascending;
  return listByNumber(context, items, alertText, {
    filter_applied: filter.applied,
    sort_applied: sort,
  });
}

export function readAlert({ store, resourceId, unit }: RequestContext): ServiceResponse {
  const alert = store.alerts.find(resourceId, unit.id);
  return alert ? json(200, renderAlert(alert)) : unknownAlert(resourceId);
}

/** Notes are required and replace the old ones; the status can be null. */
const changesSchema = z.strictObject({
  notes: z.string().max(1023, 'must be shorter than 1024 characters'),
  status: z.literal('cleared').nullish(),
});

/** Clearing can't be undone. Clearing a cleared alert changes nothing. */
export function changeAlert(context: RequestContext): ServiceResponse {
  const { store, resourceId, unit, now, body } = context;
  const found = store.alerts.find(resourceId, unit.id);
  if (!found) return unknownAlert(resourceId);
  const changes = changesSchema.safeParse(body);
  if (!changes.success) return invalidBody(changes.error);

  const { notes, status } = changes.data;
  const alert = found.resource;
  const clears = status === 'cleared' && alert.status !== 'cleared';
  const time = now.toISOString();
  const cleared: Partial<Alert> = clears
    ? { status: 'cleared', cleared_timestamp: time, updated_timestamp: time }
    : {};
  const changed = { ...alert, notes, ...cleared };
  store.alerts.replace(changed);
  return json(200, renderAlert({ ...found, resource: changed }));
}

function unknownAlert(id: string): ServiceResponse {
  return errorResponse(404, `There is no alert "${id}".`);
}

/** All timestamps have one format and zone, so they sort as text; ids break ties. */
function by(keyOf: (item: Item) => string) {
  return (a: Item, b: Item): number => {
    const [keyA, keyB] = [`${keyOf(a)} ${a.resource.id}`, `${keyOf(b)} ${b.resource.id}`];
    return keyA < keyB ? -1 : 1;
  };
}

/** Some sample alerts have no raised time; an alert that occurred once was raised when updated. */
function raisedAt({ resource }: Item): string {
  return resource.raised_timestamp ?? resource.updated_timestamp;
}

const alertText = renderOnce(renderAlert);

/** Without a link to the consolidated alert, because this service has no such endpoint. */
function renderAlert(item: Item) {
  const { resource } = item;
  const path = `/alerts/individual/${resource.id}`;
  return {
    notes: '',
    cleared_timestamp: null,
    ...resource,
    raised_timestamp: raisedAt(item),
    _etag: etagOf(resource),
    _links: { _self: link(path), 'update-individual-alert': link(path, 'patch') },
  };
}
