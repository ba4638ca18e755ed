import type { Message } from '../../playground/slack/protocol.ts';
import { stormName } from './make-alerts.ts';

export type Account = { own: number; repeated: number; counted: number; summaries: number };

const summary = /^\*([\d,]+) more alerts? /;

/** What people can know of the storm from what a channel shows. */
export function countAlerts(messages: readonly Message[]): Account {
  const named: string[] = [];
  const totals: number[] = [];
  for (const { text } of messages) {
    const total = summary.exec(text)?.[1];
    if (total !== undefined) totals.push(Number(total.replaceAll(',', '')));
    else named.push(...new Set(text.match(stormName) ?? []));
  }
  const own = new Set(named).size;
  return {
    own,
    repeated: named.length - own,
    counted: totals.reduce((sum, count) => sum + count, 0),
    summaries: totals.length,
  };
}
