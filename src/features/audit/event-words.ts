import type { LogEvent } from './audit.ts';

/** What happened, for people; together with who it was, where someone did it. */
export const eventWords: Record<LogEvent, string> = {
  requested: 'asked',
  not_posted: 'could not be posted',
  approved: 'approved',
  denied: 'denied',
  withdrawn: 'withdrew',
  expired: 'expired',
  voided: 'voided',
  refused: 'was refused',
  started: 'started',
  scheduled: 'waits for the next step',
  succeeded: 'done',
  keep_asked: 'asked to keep',
  kept: 'kept',
  failed: 'failed',
  outcome_unknown: 'outcome unknown',
  approvers_changed: 'changed the approvers',
  settings_changed: 'changed the settings',
  connection_changed: 'changed the connection',
  alert_cleared: 'cleared an alert',
  alert_noted: 'wrote a note on an alert',
  erased: 'erased personal text',
};

export function isLogEvent(text: string): text is LogEvent {
  return Object.hasOwn(eventWords, text);
}

export const logEvents = Object.keys(eventWords).filter(isLogEvent);
