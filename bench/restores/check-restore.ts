/** What is known of one request to restore a volume, from every record of it. */
export type RestoreRecord = {
  state: string;
  /** Of its message in the channel. */
  text: string;
  /** Of the audit log, in order. */
  events: string[];
  /** How often the service got it. */
  posts: number;
  /** The AWS ids of the volumes with its tag. */
  volumes: string[];
  expiresAt: Date | undefined;
  /** When its step was started last. */
  startedAt: Date | undefined;
};

/** Everything else is still under way. */
const endStates = new Set(['completed', 'failed', 'voided', 'outcome_unknown']);
const finalEvents = new Set(['completed', 'failed', 'voided']);

/** Whether the volume was restored once, or is said not to be, by the request and all records of it. */
export function checkRestore(record: RestoreRecord): string[] {
  const { state, text, events, posts, volumes, expiresAt, startedAt } = record;
  const [volume] = volumes;
  const faults: string[] = [];
  if (!endStates.has(state)) faults.push(`is ${state} at the end`);
  if (posts > 1) faults.push(`was sent ${posts} times`);
  if (volumes.length > 1) faults.push(`made ${volumes.length} volumes`);
  if (state === 'completed' && !volume) faults.push('is completed, but no volume has its tag');
  if (state !== 'completed' && volume) faults.push(`is ${state}, but made ${volume}`);
  if (state === 'completed' && volume && !text.includes(volume)) {
    faults.push(`made ${volume}, which its message does not name: ${text}`);
  }
  if (state === 'voided' && posts > 0) faults.push('is voided, but was sent');
  if (state === 'outcome_unknown' && !text.includes("Check the service's portal")) {
    faults.push(`is unknown, but says: ${text}`);
  }
  if (posts > 0 && expiresAt && startedAt && startedAt >= expiresAt) {
    faults.push('was sent after its backup had expired');
  }
  const requested = events.filter((event) => event === 'requested').length;
  if (requested !== 1) faults.push(`was requested ${requested} times in the log`);
  if (events.at(-1) !== state) faults.push(`is ${state}, the log ends with ${events.at(-1)}`);
  const finals = events.filter((event) => finalEvents.has(event));
  const expected = finalEvents.has(state) ? state : '';
  if (finals.join() !== expected) faults.push(`is ${state}, the log has: ${finals.join(', ')}`);
  return faults;
}
