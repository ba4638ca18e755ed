import type { LogEvent, LogFacts } from '../../audit-log/entry.ts';

/** One entry of the log as people are shown it. */
export type AuditRecord = {
  seq: number;
  at: Date;
  event: LogEvent;
  actor: string | undefined;
  action: string | undefined;
  subjectId: string | undefined;
  facts: LogFacts;
  personal: Record<string, string>;
  /** It had personal text, which was erased. */
  isErased: boolean;
  /** What the request was about, in the words of its time; undefined when erased. */
  summary: string | undefined;
};

export type AuditQuery = {
  teamId: string;
  /** Slack user id. */
  by?: string | undefined;
  /** The service's id of a user, or any part of a personal text. */
  user?: string | undefined;
  event?: LogEvent | undefined;
  since?: Date | undefined;
  /** Only entries older than this one. */
  before?: number | undefined;
  limit: number;
};

/** What was announced of a team's log, or is about to be. */
export type LogEnd = { teamId: string; seq: number; hash: string };

export type AuditStore = {
  /** Newest first. */
  list: (query: AuditQuery) => Promise<AuditRecord[]>;
  /** Teams whose log has moved since its last announcement, which is from before `before`. */
  findUnannounced: (due: { now: Date; before: Date }) => Promise<string[]>;
  /** Takes the announcement upon the caller; undefined when someone else has. */
  claimAnnouncement: (
    teamId: string,
    due: { now: Date; before: Date },
  ) => Promise<LogEnd | undefined>;
};
