import type { Judged } from './aims.ts';
import type { FigureTable } from './report/figure-table.ts';

/** The aims and violations decide the exit code. */
export type BenchResult = object & Judged & { tables?: FigureTable[] };

/** A section of docs/benchmarks.md. */
type Section = { title: string; about: string; needsDatabase: boolean };

type Bench = {
  /** Imports the benchmark when it runs, so that no other one is loaded with it. */
  run: () => Promise<BenchResult>;
  /** Most benchmarks with aims have one; `npm run bench -- all` runs these, in this order. */
  section?: Section;
};

/** Every benchmark by its name on the command line. */
export const benches: Readonly<Record<string, Bench>> = {
  commands: {
    run: async () => (await import('./commands/bench-commands.ts')).benchCommands(),
    section: {
      title: 'A command: `/belay help`',
      about:
        "Many people send `/belay help`, several at once: each sender waits for the answer before it sends the next command. Belay and bare Bolt take turns. For each command, Bolt makes the same calls to Slack as Belay, `users.info` and a post to the response URL, and posts the same message. Times are measured at the sender, from the start of the signed request until the acknowledgment, and until the answer arrived at the response URL. The sender and the local Slack are one process, Belay and Bolt are two others. Slack's calls are answered from memory there, so that they take as little of the machine as possible.",
      needsDatabase: true,
    },
  },
  alerts: {
    run: async () => (await import('./alerts/bench-alerts.ts')).benchAlerts(),
    section: {
      title: 'A command with calls to the service: `/belay alerts`',
      about:
        'One person after the other sends `/belay alerts`, with connections open and caches filled. The other contender is bare Bolt, which makes the same calls to Slack and to the service in the same order, with undici and `JSON.parse`, and posts the same message. Belay reads a list that is sorted ascending from its end, one page after the other, so no calls are made in parallel. The reference service is another process. The benchmark fails if the two make different numbers of calls.',
      needsDatabase: true,
    },
  },
  client: {
    run: async () => (await import('./client/bench-client.ts')).benchClient(),
    section: {
      title: 'The client of the service',
      about:
        "Lists users with Belay's client and with handwritten loops on undici, `fetch`, axios and got. Each round of each contender is a process of its own; the service is another. Belay requests up to three pages at a time, as it always does, the others one.",
      needsDatabase: false,
    },
  },
  decisions: {
    run: async () => (await import('./decisions/bench-decisions.ts')).benchDecisions(),
    section: {
      title: 'Approvals: from a click to the decision',
      about:
        'The clicks and checks of `npm run -s race`: first 1,000 clicks on one request at the same moment, then ten requests a second, each with five approvers who press different buttons at the same moment. Measured: the time until the decision is stored, until the message shows it, and until the last click is answered. Slack and the service share the machine with Belay.',
      needsDatabase: true,
    },
  },
  polls: {
    run: async () => (await import('./polls/bench-polls.ts')).benchPolls(),
    section: {
      title: 'Polls and digests of many workspaces',
      about:
        'Every workspace has a watch and a digest, all due at once, and the service answers slowly, so that the work waits for the network. One replica and two take turns. Costs are those of Belay and of PostgreSQL for one poll or one digest of each of 1,000 workspaces.',
      needsDatabase: true,
    },
  },
  start: {
    run: async () => (await import('./start/bench-start.ts')).benchStart(),
    section: {
      title: 'Start and memory',
      about:
        'Starts Belay on an empty database with nothing compiled, then a second time. Memory is measured when idle, and during 10,000 commands.',
      needsDatabase: true,
    },
  },
  'audit-log': {
    run: async () => (await import('./audit-log/bench-audit-log.ts')).benchAuditLog(),
  },
  digest: { run: async () => (await import('./digest/bench-digest.ts')).benchDigest() },
  tracing: { run: async () => (await import('./tracing/bench-tracing.ts')).benchTracing() },
  page: { run: async () => (await import('./page/bench-page.ts')).benchPage() },
  home: { run: async () => (await import('./home/bench-home.ts')).benchHome() },
};

/** How to repeat a benchmark. */
export function commandOf(name: string): string {
  const bench = `npm run -s bench -- ${name}`;
  const needsDatabase = benches[name]?.section?.needsDatabase ?? true;
  return needsDatabase ? `sh scripts/with-postgres.sh ${bench}` : bench;
}
