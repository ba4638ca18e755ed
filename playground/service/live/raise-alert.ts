import type { AlertKind } from '../data/alert-kinds.ts';
import type { Store } from '../data/store.ts';
import type { Alert, Entity } from '../resources.ts';

type Occurrence = { kind: AlertKind; entity: Entity; organizationalUnitId: string; now: Date };

/** Raises an alert, or counts a recurrence if the same one is still active on the entity. */
export function raiseAlert(
  { alerts, newId }: Store,
  { kind, entity, organizationalUnitId, now }: Occurrence,
): void {
  const time = now.toISOString();
  const isSame = ({ status, type, cause, primary_entity }: Alert) =>
    status === 'active' &&
    type === kind.type &&
    cause === kind.cause &&
    primary_entity?.id === entity.id;
  const earlier = alerts.all().find(isSame);
  if (earlier) {
    const raised_count = (earlier.raised_count ?? 1) + 1;
    alerts.replace({ ...earlier, raised_count, updated_timestamp: time });
    return;
  }
  const alert: Alert = {
    id: newId(),
    type: kind.type,
    cause: kind.cause,
    severity: kind.severity,
    status: 'active',
    notes: '',
    raised_count: 1,
    raised_timestamp: time,
    updated_timestamp: time,
    cleared_timestamp: null,
    consolidated_alert_id: newId(),
    primary_entity: entity,
    tags: [],
    details: { ...kind.display, variables: { entity_name: entity.value } },
  };
  alerts.add({ organizationalUnitId, resource: alert });
}
