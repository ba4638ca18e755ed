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

/** As a check returns it: about the check's own area, unless it names another. */
export type Found = Omit<Finding, 'area'> & { area?: string };

export type Check = {
  area: string;
  run: (signal: AbortSignal) => Promise<Found[]>;
  /** What it means if the check does not end in time; by default, that nothing was checked. */
  timedOut?: Found;
};

export function ok(text: string): Found {
  return { severity: 'ok', text };
}

export function warning(text: string, remedy: string): Found {
  return { severity: 'warning', text, remedy };
}

export function problem(text: string, remedy: string): Found {
  return { severity: 'problem', text, remedy };
}
