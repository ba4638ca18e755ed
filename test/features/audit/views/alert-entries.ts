import type { AuditEvent } from '../../../../src/audit-log/entry.ts';
import type { AuditRecord } from '../../../../src/features/audit/store/audit-store.ts';

export const ofAlert = { action: 'alerts.clear', subjectId: 'a1', requestPersonal: undefined };
const ofAlerts = { ...ofAlert, subjectId: undefined, personal: {} };
export const alertText = { subject: 'vm-12, Restore failed', summary: 'vm-12, Restore failed' };

/** Entries about alerts, as people read them. */
export const alertEntries: [AuditEvent, Partial<AuditRecord>, string][] = [
  [
    'alert_cleared',
    { ...ofAlert, personal: alertText, facts: { outcome: 'done' } },
    '<@U0BEN> *cleared* the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'alert_cleared',
    { ...ofAlert, personal: alertText, facts: { outcome: 'unknown' } },
    "*Unknown outcome*: <@U0BEN> may have cleared the alert about vm-12, Restore failed: the service didn't confirm the change · alert `a1`",
  ],
  [
    'failed',
    { ...ofAlert, personal: alertText },
    "<@U0BEN> *couldn't clear* the alert about vm-12, Restore failed · alert `a1`",
  ],
  [
    'alert_clearing_started',
    { ...ofAlerts, facts: { clearing: 'c1', alerts: 37 } },
    '<@U0BEN> *started clearing* 37 alerts',
  ],
  [
    'alert_clearing_finished',
    {
      ...ofAlerts,
      facts: { clearing: 'c1', alerts: 37, cleared: 35, already_cleared: 0, not_cleared: 2 },
    },
    '<@U0BEN> *finished clearing* 37 alerts: 35 cleared, 2 not cleared',
  ],
  [
    'alert_acknowledged',
    { ...ofAlert, action: 'alerts.own', personal: alertText },
    '<@U0BEN> *acknowledged* the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'alert_assigned',
    { ...ofAlert, action: 'alerts.own', personal: alertText, facts: { owner: 'U0CLEO' } },
    '<@U0BEN> *assigned* the alert about vm-12, Restore failed to <@U0CLEO> · alert `a1`',
  ],
  [
    'alert_released',
    { ...ofAlert, action: 'alerts.own', personal: alertText },
    '<@U0BEN> *released* the alert about vm-12, Restore failed · alert `a1`',
  ],
  ...(
    [
      ['mute_added', 'muted alerts'],
      ['mute_changed', 'changed a mute'],
      ['mute_ended', 'ended a mute'],
    ] as const
  ).map(([event, did]): [AuditEvent, Partial<AuditRecord>, string] => [
    event,
    {
      action: 'alerts.mute',
      subjectId: undefined,
      facts: { channel: 'C0OPS00001', until: '2026-12-02T00:00:00.000Z' },
      personal: { subject: 'warning, policy violated' },
    },
    `<@U0BEN> *${did}* in <#C0OPS00001> (warning, policy violated), until <!date^1796169600^{date_short_pretty} at {time}|2026-12-02 00:00 UTC>`,
  ]),
  [
    'alert_snoozed',
    {
      ...ofAlert,
      action: 'alerts.snooze',
      personal: alertText,
      facts: { until: '2026-11-22T09:00:00.000Z' },
    },
    '<@U0BEN> *snoozed* the alert about vm-12, Restore failed until <!date^1795338000^{date_short_pretty} at {time}|2026-11-22 09:00 UTC> · alert `a1`',
  ],
  [
    'alert_snooze_ended',
    { ...ofAlert, action: 'alerts.snooze', personal: alertText },
    '<@U0BEN> *ended the snooze* of the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'note_changed',
    { ...ofAlert, action: 'alerts.note', personal: { ...alertText, note: 'Look at me' } },
    '<@U0BEN> *added a note* to the alert about vm-12, Restore failed · alert `a1` · “Look at me”',
  ],
  [
    'note_changed',
    { ...ofAlert, action: 'alerts.note', personal: { ...alertText, note: '' } },
    '<@U0BEN> *removed the note* from the alert about vm-12, Restore failed · alert `a1`',
  ],
  [
    'note_changed',
    { ...ofAlert, action: 'alerts.note', personal: {}, isErased: true },
    '<@U0BEN> *changed the note* on the alert `a1` · _personal text erased_',
  ],
  [
    'note_changed',
    { ...ofAlert, action: 'alerts.note', personal: {}, facts: { outcome: 'unknown' } },
    "*Unknown outcome*: <@U0BEN> may have changed the note on the alert `a1`: the service didn't confirm the change",
  ],
];
