import { randomUUID } from 'node:crypto';
import type { Outgoing } from '../../../outbox/index.ts';
import {
  complianceRoseMessage,
  complianceWatchMessage,
} from '../views/compliance-watch-messages.ts';
import type { ComplianceWatch } from './compliance-watch.ts';

/** Each change gets its own message, so it never edits an earlier one. */
export function complianceWatchNotice(
  watch: ComplianceWatch,
  change: 'added' | 'edited' | 'ended',
  by: string,
): Outgoing {
  const subject = `compliance-watch:${watch.id}:change:${randomUUID()}`;
  return { subject, message: complianceWatchMessage(watch, change, by) };
}

/** Identified by the reading that was above the limit. */
export function complianceRoseNotice(watch: ComplianceWatch, count: number, at: Date): Outgoing {
  const subject = `compliance-watch:${watch.id}:${at.getTime()}`;
  return { subject, message: complianceRoseMessage(watch, count) };
}
