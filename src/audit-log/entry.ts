/** What the decision log tells of: one word for each thing that can happen. */
export type LogEvent =
  | 'requested'
  /** It could not be posted, so the request is no more. */
  | 'not_posted'
  | 'approved'
  | 'denied'
  | 'withdrawn'
  | 'expired'
  | 'voided'
  /** Someone asked for or decided what they may not; `facts.reason` says why not. */
  | 'refused'
  /** A step of the action is about to be carried out. */
  | 'started'
  /** A step is done and the next one waits for its time. */
  | 'scheduled'
  | 'succeeded'
  /** Someone stops what was scheduled; `kept` follows once it is undone. */
  | 'keep_asked'
  | 'kept'
  | 'failed'
  | 'outcome_unknown'
  | 'approvers_changed'
  | 'settings_changed'
  | 'connection_changed'
  | 'alert_cleared'
  | 'alert_noted'
  /** Personal text of other entries was erased. */
  | 'erased';

/** What is chained as it is, for good: never a name, an address or what a person wrote. */
export type LogFacts = Record<string, string | number | boolean | string[]>;

/** One entry before it is chained. */
export type LogEntry = {
  teamId: string;
  at: Date;
  event: LogEvent;
  /** Slack user id; undefined when Belay itself acted. */
  actor?: string | undefined;
  approvalId?: string | undefined;
  /** Name of the action, such as `users.disable`. */
  action?: string | undefined;
  /** Whom it is about, by the service's id. */
  subjectId?: string | undefined;
  facts?: LogFacts | undefined;
  /** Names, addresses, reasons: kept beside the chain, where it can be erased. */
  personal?: Record<string, string> | undefined;
};
