import { type Answer, json, refuse } from './answer.ts';
import type { Call } from './call.ts';
import { link } from './links.ts';
import { listPage } from './list.ts';
import type { Alert } from './resources.ts';
import { findVisible, visibleIn } from './store.ts';

const sortField = 'updated_timestamp';

/** In no promised order unless sorted; the one documented sort is ascending by last update. */
export function listAlerts(call: Call): Answer {
  const sort = call.query.get('sort');
  if (sort !== null && sort !== sortField) {
    return refuse(400, `Alerts sort by ${sortField} only, not by "${sort}".`);
  }
  const alerts = visibleIn(call.store.alerts, call.unit.id);
  return listPage(call, sort === null ? alerts : alerts.toSorted(byLastUpdate), renderAlert);
}

export function readAlert({ store, resourceId, unit }: Call): Answer {
  const alert = findVisible(store.alerts, resourceId, unit.id);
  if (!alert) return refuse(404, `There is no alert "${resourceId}".`);
  return json(200, renderAlert(alert));
}

/** Timestamps share one format and zone, so their text sorts as their time does; ids break ties. */
function byLastUpdate(a: Alert, b: Alert): number {
  if (a.updated_timestamp !== b.updated_timestamp) {
    return a.updated_timestamp < b.updated_timestamp ? -1 : 1;
  }
  return a.id < b.id ? -1 : 1;
}

function renderAlert(alert: Alert) {
  return { ...alert, _links: { _self: link(`/alerts/individual/${alert.id}`) } };
}
