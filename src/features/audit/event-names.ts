import type { AuditEvent } from '../../audit-log/entry.ts';

/** What each event means, in the order in which the help lists them. */
export const eventMeanings: Record<AuditEvent, string> = {
  requested: 'somebody requested approval',
  not_posted: "a request couldn't be posted",
  approved: 'an approver approved a request',
  break_glass: 'somebody ran an action without approval',
  reviewed: 'somebody reviewed a run without approval',
  denied: 'an approver denied a request',
  withdrawn: 'the requester withdrew a request',
  expired: 'nobody decided a request in time',
  voided: 'a request became invalid, for example after other changes',
  refused: "Belay refused an attempt that wasn't allowed",
  started: 'Belay started to make an approved change',
  accepted: 'the service accepted a change and works on it',
  postponed: 'a change waits, for example for a locked policy',
  scheduled: 'the next step of a change was scheduled, for example after a grace period',
  completed: 'a change was made',
  cancellation_requested: 'somebody canceled a deletion',
  abort_requested: 'somebody asked the service to abort a change',
  canceled: 'the cancellation of a deletion was completed',
  failed: "a change couldn't be made",
  outcome_unknown: 'a change may have been made',
  approvers_changed: 'the approvers were changed in setup',
  settings_changed: 'other settings were changed in setup',
  rule_changed: 'the rule of an action was changed',
  protected_users_changed: 'the protected users were changed',
  stand_in_named: 'an approver named a stand-in',
  stand_in_ended: 'somebody ended a stand-in early',
  connection_changed: 'the connection was changed in setup',
  connection_added: 'a connection was added',
  connection_removed: 'a connection was removed',
  default_connection_changed: 'the default connection was changed',
  channel_pinned: 'somebody chose the connection of a channel',
  channel_unpinned: 'a channel uses the default connection again',
  token_replaced: 'the API token of a connection was replaced in setup',
  configuration_applied: 'a configuration file was applied',
  alert_cleared: 'somebody cleared an alert',
  alert_clearing_started: 'somebody started clearing several alerts at once',
  alert_clearing_finished: 'Belay finished clearing several alerts at once',
  alert_acknowledged: 'somebody acknowledged an alert and became its owner',
  alert_assigned: 'somebody assigned an alert to a person',
  alert_released: 'somebody removed the owner of an alert',
  alert_snoozed: 'somebody snoozed an alert',
  alert_snooze_ended: 'somebody ended the snooze of an alert early',
  note_changed: 'somebody changed the note on an alert',
  mute_added: 'somebody muted alerts in a channel',
  mute_changed: 'somebody changed a mute',
  mute_ended: 'somebody ended a mute early',
  installed: 'somebody installed Belay in this workspace',
  reinstalled: 'somebody installed Belay again',
  uninstalled: 'Belay was uninstalled, and its data was deleted',
  erased: 'personal text was erased',
  key_changed: 'the key that signs the audit log was changed',
};

/** The event as people type and read it. */
export function nameOf(event: AuditEvent): string {
  return event === 'outcome_unknown' ? 'unknown_outcome' : event;
}

/** The event with this name, as people read it or as it is stored, in any case and with spaces or hyphens. */
export function findEvent(typed: string): AuditEvent | undefined {
  const name = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return logEvents.find((event) => nameOf(event) === name || event === name);
}

export const logEvents = Object.keys(eventMeanings).filter(isLogEvent);

export function isLogEvent(text: string): text is AuditEvent {
  return Object.hasOwn(eventMeanings, text);
}
