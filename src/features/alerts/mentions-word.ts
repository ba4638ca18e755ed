import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { inWords, nameOf, problemOf, severityOf } from './views/format-alert.ts';

/** Whether a word occurs in what the list shows of an alert or in its identifiers. */
export function mentionsWord(alert: Alert, word: string): boolean {
  const { id, type, cause, severity, status, primaryEntity, parentEntity, details } = alert;
  const shown = [
    ...[severityOf(alert), problemOf(alert), status, nameOf(primaryEntity)],
    ...[primaryEntity, parentEntity].flatMap((entity) => [
      ...[entity?.value, entity?.id, entity?.type],
      entity?.type && inWords(entity.type),
    ]),
    ...[id, type, cause, severity, details?.description],
  ];
  const wanted = word.toLowerCase();
  return shown.some((text) => text?.toLowerCase().includes(wanted));
}
