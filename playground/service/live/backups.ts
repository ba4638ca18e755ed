import type { Owned } from '../data/collection.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Backup } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './list-page.ts';

type Item = Owned<Backup>;

const filterTable: FilterTable<Item> = {
  volume_id: { conditions: ['$eq'], of: ({ resource }) => resource.volume_id },
  start_timestamp: { conditions: ['$gt', '$lte'], of: ({ resource }) => resource.start_timestamp },
};

const newestFirst = '-start_timestamp';

export function listBackups(context: RequestContext): ServiceResponse {
  const sort = context.query.get('sort') ?? newestFirst;
  if (sort !== newestFirst && sort !== 'start_timestamp') {
    return errorResponse(400, 'Backups sort by start_timestamp, with - to reverse.');
  }
  const filter = parseFilter(context.query.get('filter'), filterTable);
  if (!filter.ok) return filter.rejection;
  const ascending = filter
    .apply(context.store.backups.visibleIn(context.unit.id))
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const backups = sort === newestFirst ? ascending.reverse() : ascending;
  return listByNumber(context, backups, (item) => JSON.stringify(renderBackup(item, context)), {
    filter_applied: filter.applied,
  });
}

export function readBackup(context: RequestContext): ServiceResponse {
  const backup = context.store.backups.find(context.resourceId, context.unit.id);
  return backup ? json(200, renderBackup(backup, context)) : unknownBackup(context.resourceId);
}

export function unknownBackup(id: string): ServiceResponse {
  return errorResponse(404, `There is no backup "${id}".`);
}

/** A choice: an expired backup can still be read for a while, but no longer restored. */
export function isExpired({ expiration_timestamp }: Backup, now: Date): boolean {
  return Date.parse(expiration_timestamp) <= now.getTime();
}

/** All timestamps have one format and zone, so they sort as text; ids break ties. */
function sortKey({ resource }: Item): string {
  return `${resource.start_timestamp} ${resource.id}`;
}

/** In version 1, `type` is the type of the volume. */
function renderBackup({ resource }: Item, { version, now }: RequestContext) {
  const _self = link(`/backups/aws/ebs-volumes/${resource.id}`);
  if (version === 1) {
    const { volume_type, iops, backup_tier, migration_timestamp, ...fields } = resource;
    const { utilized_size_in_bytes, ...rest } = fields;
    return { ...rest, type: volume_type, _links: { _self } };
  }
  const restore = link('/restores/aws/ebs-volumes', 'post');
  return {
    ...resource,
    _links: { _self, ...(isExpired(resource, now) ? {} : { 'restore-aws-ebs-volume': restore }) },
  };
}
