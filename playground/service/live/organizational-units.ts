import { accessOf } from '../data/roles.ts';
import { etagOf } from '../http/render-page.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import { globalUnitId } from '../portal/portal-definitions.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { OrganizationalUnit } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './list-page.ts';

const filterTable: FilterTable<OrganizationalUnit> = {
  id: { conditions: ['$in'], of: ({ id }) => id },
  name: { conditions: ['$contains'], of: ({ name }) => name },
  parent_id: { conditions: ['$eq'], of: parentOf },
};

/** The units that the token has access to; within a unit, only that unit. */
export function listUnits(context: RequestContext): ServiceResponse {
  const filter = parseFilter(context.query.get('filter'), filterTable);
  if (!filter.ok) return filter.rejection;
  const itemText = (unit: OrganizationalUnit) => JSON.stringify(renderUnit(unit, context));
  return listByNumber(context, filter.apply(visibleUnits(context)), itemText, {
    filter_applied: filter.applied,
  });
}

export function readUnit(context: RequestContext): ServiceResponse {
  const unit = visibleUnits(context).find(({ id }) => id === context.resourceId);
  if (!unit) return errorResponse(404, `There is no organizational unit "${context.resourceId}".`);
  return json(200, { ...renderUnit(unit, context), users: usersOf(unit, context) });
}

function visibleUnits({ portal, grant, unit }: RequestContext): OrganizationalUnit[] {
  const isVisible = ({ id }: OrganizationalUnit) =>
    grant.unitIds.includes(id) && (unit.id === globalUnitId || id === unit.id);
  return portal.organizationalUnits.filter(isVisible);
}

/** Without the users, which are only part of a single unit. */
function renderUnit(unit: OrganizationalUnit, { portal, store }: RequestContext) {
  const children = portal.organizationalUnits.filter((other) => parentOf(other) === unit.id);
  const fields = {
    id: unit.id,
    name: unit.name,
    description: unit.isDefault ? 'Everything' : `What belongs to ${unit.name}`,
    parent_id: parentOf(unit),
    children_count: children.length,
    descendant_ids: children.map(({ id }) => id),
    user_count: store.users.visibleIn(unit.id).length,
    task_id: null,
  };
  return {
    ...fields,
    _etag: etagOf(fields),
    _links: { _self: link(`/organizational-units/${unit.id}`) },
  };
}

/** Ids in version 1; ids and roles in version 2. */
function usersOf(unit: OrganizationalUnit, { store, version }: RequestContext) {
  const users = store.users.visibleIn(unit.id);
  if (version === 1) return users.map(({ resource }) => resource.id);
  return users.map((user) => ({
    user_id: user.resource.id,
    assigned_role: accessOf(user)[0]?.roleId ?? null,
  }));
}

function parentOf({ id }: OrganizationalUnit): string | null {
  return id === globalUnitId ? null : globalUnitId;
}
