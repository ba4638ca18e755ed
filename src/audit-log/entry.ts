/** The events of the audit log. These strings are stored and hashed: they never change. */
export type AuditEvent =
  | 'requested'
  /** The request could not be posted, so it does not exist. */
  | 'not_posted'
  | 'approved'
  | 'denied'
  /** A person ran an action without approval; `reviewed`: another person reviewed that run. */
  | 'break_glass'
  | 'reviewed'
  | 'withdrawn'
  | 'expired'
  | 'voided'
  /** Someone requested or decided something that they may not; `facts.reason` has the guard. */
  | 'refused'
  /** A step of the action is about to run. */
  | 'started'
  /** The service accepted a change, and makes it in a task: `facts.task`. */
  | 'accepted'
  /** A step is done and the next one waits for its time. */
  | 'scheduled'
  /** A step can't be sent now, because its subject is locked; Belay tries again. */
  | 'postponed'
  | 'completed'
  /** Someone canceled a scheduled deletion; `canceled` follows once its first step is undone. */
  | 'cancellation_requested'
  /** Someone asked the service to abort the task in which it makes a change. */
  | 'abort_requested'
  | 'canceled'
  | 'failed'
  | 'outcome_unknown'
  | 'approvers_changed'
  | 'settings_changed'
  /** The rule of one action. */
  | 'rule_changed'
  | 'protected_users_changed'
  /** An approver named a stand-in; a stand-in was ended early. */
  | 'stand_in_named'
  | 'stand_in_ended'
  | 'connection_changed'
  | 'connection_added'
  | 'connection_removed'
  | 'default_connection_changed'
  /** A channel uses its own connection, and the default one again. */
  | 'channel_pinned'
  | 'channel_unpinned'
  /** A configuration file was applied. Its changes have their own entries, except items of channels. */
  | 'configuration_applied'
  /** A connection has another token, which sees the same tenant. */
  | 'token_replaced'
  | 'alert_cleared'
  /** Someone clears several alerts at once; what happens to each has its own entry. */
  | 'alert_clearing_started'
  | 'alert_clearing_finished'
  /** Who takes care of an alert. */
  | 'alert_acknowledged'
  | 'alert_assigned'
  | 'alert_released'
  /** Until when nobody is notified about an alert. */
  | 'alert_snoozed'
  | 'alert_snooze_ended'
  | 'note_changed'
  /** Alerts that a channel doesn't see until a mute ends: `facts.channel`, `facts.until`. */
  | 'mute_added'
  | 'mute_changed'
  | 'mute_ended'
  /** Installed with OAuth; `reinstalled` replaces the tokens and keeps everything else. */
  | 'installed'
  | 'reinstalled'
  /** The workspace's data is deleted, but for this log without its personal text. */
  | 'uninstalled'
  /** Personal text of other entries was erased. */
  | 'erased'
  /** From this entry on another key signs the log; see key-change.ts. */
  | 'key_changed';

/** Hashed, and so kept forever: never a name, an address or a text that a person wrote. */
export type AuditFacts = Record<string, string | number | boolean | string[]>;

/** An entry to append. */
export type AuditEntry = {
  teamId: string;
  at: Date;
  event: AuditEvent;
  /** Slack user id; undefined when Belay itself acted. */
  actor?: string | undefined;
  approvalId?: string | undefined;
  /** Name of the action, such as `users.disable`. */
  action?: string | undefined;
  /** The service's id of the subject. For a private id, the log has `approvalId` instead. */
  subjectId?: string | undefined;
  facts?: AuditFacts | undefined;
  /** Names, addresses, reasons: stored outside the chain, where they can be erased. */
  personal?: Record<string, string> | undefined;
};

/**
 * Prefix of subject ids that could identify a person, such as the unsalted hash of an address. Entries can't
 * be erased, so they never contain such an id.
 */
const privatePrefix = 'private:';

export function toPrivateId(id: string): string {
  return `${privatePrefix}${id}`;
}

export function isPrivateId(subjectId: string): boolean {
  return subjectId.startsWith(privatePrefix);
}

/** Who acts from the command line: a Slack user id, or a name in the personal text. */
export type Operator = Pick<AuditEntry, 'actor' | 'personal'>;
