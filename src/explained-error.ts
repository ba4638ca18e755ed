/** An error with the words for a person who meets it. */
export class ExplainedError extends Error {
  override name = 'ExplainedError';
  /** What failed, as mrkdwn; and what to do, and whether anything changed, unless `mayHaveActed`. */
  readonly explanation: string;
  /** The change that failed may have been made all the same. */
  readonly mayHaveActed: boolean;

  constructor(
    message: string,
    explanation: string,
    { mayHaveActed = false, cause }: { mayHaveActed?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.explanation = explanation;
    this.mayHaveActed = mayHaveActed;
  }
}
