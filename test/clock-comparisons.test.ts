import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const due = "what is due isn't in the future, and what is in the future isn't late";
const counted = 'a process counts for too long, so that the shares of all stay within the limit';

/**
 * Comparisons in which a time in the future counts as recent, as after the clock was set back: for as
 * long as it was set back. New ones use `isRecent` for stored times, and `monotonicClock` for what lasts
 * within one process. These are harmless, for the reason given.
 */
const exceptions: Record<string, Record<string, string>> = {
  'src/requests/run/advance-approval.ts': {
    'const lateMs = at.getTime() - run.wakeAt.getTime();': due,
    'return wakeAt !== undefined && at.getTime() - wakeAt.getTime() > hourMs;': due,
    'if (at.getTime() - wakeAt.getTime() < rule.hoursToRun * hourMs) return undefined;': due,
    'const sinceMs = clock().getTime() - finishedAt.getTime();':
      'a change that may still arrive is not sent again too early',
  },
  'src/requests/run/run-approval.ts': {
    'const waitedMs = at.getTime() - waitingSince.getTime();':
      'a change that is locked out is tried for longer',
  },
  'src/features/alerts/store/clearings.ts': {
    ".where('created_at', '>', subMilliseconds(at, clearingTimings.draftMs))":
      'alerts that were just shown can be confirmed for longer',
  },
  'src/features/compliance/store/compliance-history.ts': {
    ".where('taken_at', '>=', subDays(now, historyDays))":
      'all samples up to the newest are history',
  },
  'src/features/compliance/store/compliance-samples.ts': {
    ".where('taken_at', '>=', subDays(at, 3))": 'the condition before it leaves out later samples',
  },
  'src/features/digests/run-due-digests.ts': {
    'const lateFrom = now.getTime() - dueAt.getTime() > lateMs ? dueAt : undefined;': due,
  },
  'src/features/doctor/checks/check-channels.ts': {
    'const isLate = (since: Date) => +now - +since > maxLateMs;': due,
  },
  'src/features/doctor/examine.ts': {
    'if (!since || since > subDays(now, maxDays)) return [];':
      'the run is on Home tabs and in the list of requests meanwhile',
    'dueAt && +now - +dueAt > maxDueMs': due,
    'const isLate = oldestQueuedAt && +now - +oldestQueuedAt > maxQueuedMs;': due,
  },
  'src/postings/home/create-homes.ts': {
    'if (!known && at.getTime() - takenAt.getTime() > maxUncountedMs) {':
      'a publication counts at the time it was reserved for',
  },
  'src/features/installations/register.ts': {
    'const expiresAt = String(now.getTime() + stateLifetimeMs);':
      'any process may check it; it works once, in the browser with its cookie',
  },
  'src/features/policy-watches/store/observation-health.ts': {
    'return expectedAt && +now - +expectedAt < maxUnreadMs ? undefined : (readAt ?? failing?.since);':
      due,
  },
  'src/features/watches/walk-alerts.ts': {
    'const ageMs = clock().getTime() - renewedAt.getTime();':
      'what is recorded after a lease that was not renewed does not count',
  },
  'src/postings/outbox/summarize.ts': {
    'const isRecent = from > subHours(now, 12);': 'it only chooses how a time is shown',
  },
  'src/replicas/replicas.ts': {
    ".where('last_seen_at', '>', new Date(+at - expiryMs))": counted,
    'const newProcesses = live.filter(({ started_at }) => +at - +started_at < noticeMs);': counted,
    'const isNoticed = now - +joinedAt >= noticeMs;':
      'the next heartbeat counts as a new beginning after a clock was set back',
    'isLive: +now - +row.last_seen_at < expiryMs,': counted,
  },
  'src/slack/server/http-server.ts': {
    "if (seconds * 1000 > now + maxClockSkewSeconds * 1000) return 'from-the-future';":
      'it refuses the future',
    'seen.set(signature, now + (maxAgeSeconds + maxClockSkewSeconds + 1) * 1000);':
      'a signature is refused again for longer',
  },
};

/** Names that stand for the current time, besides what the file assigns from the clock. */
const nowNames = ['now', 'at'];
const monotonic = /^(?:performance\.now|now|monotonicClock)\(\)/;

/** The comparisons in a source file, each as one line. */
function findComparisons(source: string): string[] {
  const text = source.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
  const assigned = [...text.matchAll(/\b(?:const|let) (\w+) = ([^;]*);/g)];
  const isWall = (value: string) => /^\+?\(?clock\(\)/.test(value);
  const names = new Set([
    ...nowNames,
    ...assigned.flatMap(([, name = '', value = '']) => (isWall(value) ? [name] : [])),
  ]);
  for (const [, name = '', value = ''] of assigned) if (monotonic.test(value)) names.delete(name);
  const now = String.raw`(?<![\w.])\+?\(?\+?(?:clock\(\)|${[...names].join('|')})(?:\.getTime\(\))?\)?`;
  const operand = String.raw`(?:[+\w.?]+(?:\(\))?(?:\.getTime\(\))?|\((?:[^()]|\([^()]*\))*\))`;
  const age = `${now} - ${operand}(?: - \\w+)?`;
  const earlier = String.raw`(?:sub[A-Z]\w+\(${now},|new Date\(${age})`;
  const direct = [
    `${age}\\s*[<>]=?\\s`,
    `\\s[<>]=?\\s*${age}`,
    `\\s[<>]=?\\s*${earlier}`,
    `'>=?',\\s*${earlier}`,
    // A deadline in memory; dates go to the database.
    `(?<!new Date\\()${now} \\+ \\(?\\w*(?:Ms|Seconds)\\b`,
  ].flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'g'))].map(({ index }) => index));
  const named = [...text.matchAll(new RegExp(`const (\\w+) = ${age};`, 'g'))].filter(
    ([, name]) =>
      new RegExp(`\\b${name}\\s*[<>]|[<>]=?\\s*${name}\\b`).test(text) &&
      !new RegExp(`\\b${name} (?:< 0|>= 0|>= -)`).test(text),
  );
  return [...direct, ...named.map(({ index }) => index)]
    .map((index) => lineAt(text, index))
    .filter((line, position, all) => all.indexOf(line) === position);
}

function lineAt(text: string, index: number): string {
  // A match may begin with the line break before it.
  const from = index + (/^\s*/.exec(text.slice(index))?.[0].length ?? 0);
  const start = text.lastIndexOf('\n', from) + 1;
  return text.slice(start, text.indexOf('\n', from)).trim();
}

test('no comparison of times takes the future for recent', () => {
  const found = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    findComparisons(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  const known = Object.entries(exceptions).flatMap(([file, lines]) =>
    Object.keys(lines).map((line) => `${file}: ${line}`),
  );
  expect(found.sort()).toEqual(known.sort());
});

test('the scan can fail', () => {
  const wrong = [
    'const isRecent = ({ readAt }: Read) => clock().getTime() - readAt < maxAgeMs;',
    'const now = clock().getTime();\nif (cached && now - cached.readAt < cachedMs) return cached;',
    'const readAt = clock().getTime();\nif (found &&\n  readAt - found.readAt < maxAgeMs) return found;',
    'const ageMs = +clock() - +savedAt;\nif (ageMs < maxMs) throw error;',
    'if (now - (attemptedAt.get(id) ?? 0) < minIntervalMs) return;',
    'lookups = lookups.filter((at) => at > now - minuteMs);',
    'if (status.written_at <= subMinutes(at, 15)) return;',
    "rows.where('last_seen_at', '>', new Date(+at - expiryMs));",
    'endsAt = clock().getTime() + minuteMs;',
  ];
  const right = [
    'if (isRecent(readAt, clock(), maxAgeMs)) return;',
    'const at = now();\nif (at - found.readAt < maxAgeMs) return found;',
    'if (performance.now() - startedAt > maxMs) return;',
    'const ageMs = now - +counted.at;\nif (ageMs < 0 || ageMs >= staleMs) return 1;',
    'if (+expiry - +now < warningMs) warn();',
    'const until = new Date(at.getTime() + leaseMs);',
    "rows.where('created_at', '<', subDays(now, 30));",
  ];
  expect(wrong.filter((source) => findComparisons(`${source}\n`).length !== 1)).toEqual([]);
  expect(right.filter((source) => findComparisons(`${source}\n`).length > 0)).toEqual([]);
});
