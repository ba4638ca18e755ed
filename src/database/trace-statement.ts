import type { LogEvent } from 'kysely';
import { isTraced, recordCall } from '../tracing.ts';

/**
 * Records a statement in the current trace, as it was prepared: with placeholders, never with its
 * values. To be called by Kysely after each statement.
 */
export function traceStatement(event: LogEvent): void {
  if (!isTraced()) return;
  const { query, queryDurationMillis: ms } = event;
  const verb = /\b(?:select|insert|update|delete)\b/i.exec(query.sql)?.[0].toLowerCase();
  const table = /\b(?:from|into|update)\s+"?([\w.]+)/i.exec(query.sql)?.[1];
  recordCall(verb && table ? `${verb} ${table}` : 'statement', {
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
    ms,
    failure: event.level === 'error' ? sqlState(event.error) : undefined,
  });
}

/** Not the message of the error, which quotes values. */
function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
