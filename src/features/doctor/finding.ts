export type Severity = 'problem' | 'warning' | 'ok';

/** One result of a check. `text` and `remedy` are mrkdwn: text from elsewhere in them is escaped. */
export type Finding = {
  severity: Severity;
  /** What it is about: "Slack", "Database". */
  area: string;
  text: string;
  /** What to do about it; every problem and warning has one. */
  remedy?: string;
};

export type Check = {
  area: string;
  run: (signal: AbortSignal) => Promise<Finding[]>;
  /** What it means if the check does not end in time; by default, that nothing was checked. */
  timedOut?: Finding;
};

export function ok(area: string, text: string): Finding {
  return { severity: 'ok', area, text };
}

export function warning(area: string, text: string, remedy: string): Finding {
  return { severity: 'warning', area, text, remedy };
}

export function problem(area: string, text: string, remedy: string): Finding {
  return { severity: 'problem', area, text, remedy };
}
