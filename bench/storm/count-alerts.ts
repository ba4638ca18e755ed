import { stormName } from './make-alerts.ts';

export type Account = {
  /** The number of messages about each alert. */
  own: Map<string, number>;
  counted: number;
  countedBySeverity: Map<string, number>;
  summaries: number;
  /** Summaries whose list does not add up to their total. */
  uneven: { total: number; listed: number }[];
};

const summary = /^\*([\d,]+) more alerts?\b[^*]*\*(?: \(.*?\))?: ([^.]*)\./;
const listed = /([\d,]+) (error|warning)s?\b/g;

/** Counts the alerts that a channel shows, in separate messages and in summaries. */
export function countAlerts(texts: readonly string[]): Account {
  const account: Account = {
    own: new Map(),
    counted: 0,
    countedBySeverity: new Map(),
    summaries: 0,
    uneven: [],
  };
  for (const text of texts) {
    const [, total, list] = summary.exec(text) ?? [];
    if (total === undefined || list === undefined) {
      for (const name of new Set(text.match(stormName))) add(account.own, name, 1);
      continue;
    }
    account.summaries += 1;
    account.counted += toNumber(total);
    let sum = 0;
    for (const [, count = '', severity = ''] of list.matchAll(listed)) {
      add(account.countedBySeverity, severity, toNumber(count));
      sum += toNumber(count);
    }
    if (sum !== toNumber(total)) account.uneven.push({ total: toNumber(total), listed: sum });
  }
  return account;
}

/**
 * The violations. Alerts with a separate message are identified by name; the others must be those
 * that are counted, for each severity, so that a lost and a doubled alert do not cancel out.
 */
export function faultsOf(made: ReadonlyMap<string, string>, account: Account): string[] {
  const { own, counted, countedBySeverity, uneven } = account;
  const unnamed = [...made].filter(([name]) => !own.has(name));
  const repeated = [...own].filter(([, times]) => times > 1).map(([name]) => name);
  const unknown = [...own.keys()].filter((name) => !made.has(name));
  return [
    ...(repeated.length > 0
      ? [`${alerts(repeated.length, 'is')} shown twice: ${repeated.slice(0, 9)}`]
      : []),
    ...(unknown.length > 0 ? [`nobody raised ${unknown.slice(0, 9)}`] : []),
    ...uneven.map((one) => `a summary says ${one.total} and lists ${one.listed}`),
    ...difference(unnamed.length, counted),
    ...[...new Set(made.values())].flatMap((severity) =>
      difference(
        unnamed.filter(([, other]) => other === severity).length,
        countedBySeverity.get(severity) ?? 0,
        severity,
      ),
    ),
  ];
}

function difference(unnamed: number, counted: number, severity?: string): string[] {
  if (unnamed === counted) return [];
  const its = unnamed === 1 ? 'its' : 'their';
  return [`${alerts(unnamed, 'has', severity)} no message of ${its} own, ${counted} are counted`];
}

const plurals = { is: 'are', has: 'have' };

function alerts(count: number, verb: keyof typeof plurals, severity?: string): string {
  const kind = severity ? `${severity} ` : '';
  return count === 1 ? `1 ${kind}alert ${verb}` : `${count} ${kind}alerts ${plurals[verb]}`;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function toNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}
