import type { Owned } from '../data/collection.ts';
import { renderOnce } from '../http/render-page.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Alert } from '../resources.ts';
import { listPage } from './list-page.ts';

const sortField = 'updated_timestamp';

/** In no particular order unless sorted; the only documented sort is ascending by last update. */
export function listAlerts(context: RequestContext): ServiceResponse {
  const sort = context.query.get('sort');
  if (sort !== null && sort !== sortField) {
    return errorResponse(400, `Alerts sort by ${sortField} only, not by "${sort}".`);
  }
  const alerts = context.store.alerts.visibleIn(context.unit.id);
  return listPage(context, sort === null ? alerts : alerts.toSorted(byLastUpdate), alertText);
}

export function readAlert({ store, resourceId, unit }: RequestContext): ServiceResponse {
  const alert = store.alerts.find(resourceId, unit.id);
  if (!alert) return errorResponse(404, `There is no alert "${resourceId}".`);
  return json(200, renderAlert(alert));
}

/** All timestamps have one format and zone, so they sort as text; ids break ties. */
function byLastUpdate({ resource: a }: Owned<Alert>, { resource: b }: Owned<Alert>): number {
  if (a.updated_timestamp !== b.updated_timestamp) {
    return a.updated_timestamp < b.updated_timestamp ? -1 : 1;
  }
  return a.id < b.id ? -1 : 1;
}

const alertText = renderOnce(renderAlert);

function renderAlert({ resource: alert }: Owned<Alert>) {
  return { ...alert, _links: { _self: link(`/alerts/individual/${alert.id}`) } };
}
