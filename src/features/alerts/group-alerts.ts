import type { Alert, AlertEntity } from '../../dataprotection/resources/alerts.ts';

/** Alerts about the same thing; `subject` is undefined where the service does not say what. */
export type AlertGroup = { subject: AlertEntity | undefined; alerts: Alert[] };

/**
 * Puts alerts together that concern the same: what contains the entity (a policy with a hundred
 * volumes is one problem), else the entity. Groups and alerts keep the order of their first alert.
 */
export function groupAlerts(alerts: readonly Alert[]): AlertGroup[] {
  return [...Map.groupBy(alerts, subjectKey).values()].map((group) => ({
    subject: group[0] && subjectOf(group[0]),
    alerts: group,
  }));
}

export function subjectKey(alert: Alert): string {
  const subject = subjectOf(alert);
  // Without a subject nothing says that two alerts belong together.
  return subject
    ? JSON.stringify([subject.type, subject.id ?? subject.value])
    : `alert ${alert.id}`;
}

function subjectOf({ parentEntity, primaryEntity }: Alert): AlertEntity | undefined {
  return parentEntity ?? primaryEntity;
}
