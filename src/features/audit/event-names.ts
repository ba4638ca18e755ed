import type { AuditEvent } from '../../audit-log/entry.ts';

/** Each event as people type and read it, and what it means. The stored names work in filters too. */
export const eventNames: Record<AuditEvent, { name: string; meaning: string }> = {
  requested: { name: 'requested', meaning: 'somebody requested approval' },
  not_posted: { name: 'not_posted', meaning: "a request couldn't be posted" },
  approved: { name: 'approved', meaning: 'an approver approved a request' },
  break_glass: { name: 'break_glass', meaning: 'somebody ran an action without approval' },
  reviewed: { name: 'reviewed', meaning: 'somebody reviewed a run without approval' },
  denied: { name: 'denied', meaning: 'an approver denied a request' },
  withdrawn: { name: 'withdrawn', meaning: 'the requester withdrew a request' },
  expired: { name: 'expired', meaning: 'nobody decided a request in time' },
  voided: { name: 'voided', meaning: 'a request became invalid, for example after other changes' },
  refused: { name: 'refused', meaning: "Belay refused an attempt that wasn't allowed" },
  started: { name: 'started', meaning: 'Belay started to make an approved change' },
  accepted: { name: 'accepted', meaning: 'the service accepted a change and works on it' },
  postponed: { name: 'postponed', meaning: 'a change waits, for example for a locked policy' },
  scheduled: { name: 'scheduled', meaning: 'a deletion waits for its grace period' },
  completed: { name: 'completed', meaning: 'a change was made' },
  cancellation_requested: {
    name: 'cancellation_requested',
    meaning: 'somebody canceled a deletion',
  },
  abort_requested: {
    name: 'abort_requested',
    meaning: 'somebody asked the service to abort a change',
  },
  canceled: { name: 'canceled', meaning: 'the cancellation of a deletion was completed' },
  failed: { name: 'failed', meaning: "a change couldn't be made" },
  outcome_unknown: { name: 'unknown_outcome', meaning: 'a change may have been made' },
  approvers_changed: { name: 'approvers_changed', meaning: 'the approvers were changed in setup' },
  settings_changed: { name: 'settings_changed', meaning: 'other settings were changed in setup' },
  rule_changed: { name: 'rule_changed', meaning: 'the rule of an action was changed' },
  protected_users_changed: {
    name: 'protected_users_changed',
    meaning: 'the protected users were changed',
  },
  stand_in_named: {
    name: 'stand_in_named',
    meaning: 'an approver named a stand-in',
  },
  stand_in_ended: { name: 'stand_in_ended', meaning: 'somebody ended a stand-in early' },
  connection_changed: {
    name: 'connection_changed',
    meaning: 'the connection was changed in setup',
  },
  connection_added: { name: 'connection_added', meaning: 'a connection was added' },
  connection_removed: { name: 'connection_removed', meaning: 'a connection was removed' },
  default_connection_changed: {
    name: 'default_connection_changed',
    meaning: 'the default connection was changed',
  },
  channel_pinned: {
    name: 'channel_pinned',
    meaning: 'somebody chose the connection of a channel',
  },
  channel_unpinned: {
    name: 'channel_unpinned',
    meaning: 'a channel uses the default connection again',
  },
  token_replaced: {
    name: 'token_replaced',
    meaning: 'the API token of a connection was replaced in setup',
  },
  configuration_applied: {
    name: 'configuration_applied',
    meaning: 'a configuration file was applied',
  },
  alert_cleared: { name: 'alert_cleared', meaning: 'somebody cleared an alert' },
  alert_clearing_started: {
    name: 'alert_clearing_started',
    meaning: 'somebody started clearing several alerts at once',
  },
  alert_clearing_finished: {
    name: 'alert_clearing_finished',
    meaning: 'Belay finished clearing several alerts at once',
  },
  alert_acknowledged: {
    name: 'alert_acknowledged',
    meaning: 'somebody acknowledged an alert and became its owner',
  },
  alert_assigned: {
    name: 'alert_assigned',
    meaning: 'somebody assigned an alert to a person',
  },
  alert_released: { name: 'alert_released', meaning: 'somebody removed the owner of an alert' },
  alert_snoozed: { name: 'alert_snoozed', meaning: 'somebody snoozed an alert' },
  alert_snooze_ended: {
    name: 'alert_snooze_ended',
    meaning: 'somebody ended the snooze of an alert early',
  },
  note_changed: { name: 'note_changed', meaning: 'somebody changed the note on an alert' },
  mute_added: { name: 'mute_added', meaning: 'somebody muted alerts in a channel' },
  mute_changed: { name: 'mute_changed', meaning: 'somebody changed a mute' },
  mute_ended: { name: 'mute_ended', meaning: 'somebody ended a mute early' },
  installed: { name: 'installed', meaning: 'somebody installed Belay in this workspace' },
  reinstalled: { name: 'reinstalled', meaning: 'somebody installed Belay again' },
  uninstalled: { name: 'uninstalled', meaning: 'Belay was uninstalled, and its data was deleted' },
  erased: { name: 'erased', meaning: 'personal text was erased' },
  key_changed: { name: 'key_changed', meaning: 'the key that signs the audit log was changed' },
};

/** The event with this name, plain or stored, in any case and with spaces or hyphens. */
export function findEvent(typed: string): AuditEvent | undefined {
  const name = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return logEvents.find((event) => eventNames[event].name === name || event === name);
}

export const logEvents = Object.keys(eventNames).filter(isLogEvent);

export function isLogEvent(text: string): text is AuditEvent {
  return Object.hasOwn(eventNames, text);
}
