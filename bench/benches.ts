import type { Judged } from './aims.ts';
import type { FigureTable } from './report/figure-table.ts';

/** The aims and violations decide the exit code. */
export type BenchResult = object & Judged & { tables?: FigureTable[] };

/** A section of docs/benchmarks.md, with its tables if the aims don't already say it. */
type Section = { title: string; about: string; showsTables: boolean };

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
        'Several people send commands, each the next one as soon as the last is answered. Bolt makes the same calls to Slack and posts the same message. Measured at the sender, until the acknowledgment and until the answer arrives.',
      showsTables: true,
    },
  },
  alerts: {
    run: async () => (await import('./alerts/bench-alerts.ts')).benchAlerts(),
    section: {
      title: 'A command with calls to the service: `/belay alerts`',
      about:
        'One person after the other. The other contender makes the same calls to Slack and the service, in the same order, by hand.',
      showsTables: true,
    },
  },
  client: {
    run: async () => (await import('./client/bench-client.ts')).benchClient(),
    section: {
      title: 'The client of the service',
      about:
        "Lists users with Belay's client and with handwritten loops. Belay requests the next page while it uses one; the others read one after the other.",
      showsTables: false,
    },
  },
  decisions: {
    run: async () => (await import('./decisions/bench-decisions.ts')).benchDecisions(),
    section: {
      title: 'Approvals: from a click to the decision',
      about:
        '1,000 clicks on one request at the same moment, then ten requests a second with five different clicks each. Slack and the service share the machine.',
      showsTables: false,
    },
  },
  polls: {
    run: async () => (await import('./polls/bench-polls.ts')).benchPolls(),
    section: {
      title: 'Polls and digests of many workspaces',
      about:
        'All are due at once, and the service answers slowly, so that work waits for the network.',
      showsTables: false,
    },
  },
  start: {
    run: async () => (await import('./start/bench-start.ts')).benchStart(),
    section: {
      title: 'Start and memory',
      about:
        'On an empty database with nothing compiled, then a second time; memory when idle and during the commands.',
      showsTables: true,
    },
  },
  'audit-log': {
    run: async () => (await import('./audit-log/bench-audit-log.ts')).benchAuditLog(),
  },
  digest: { run: async () => (await import('./digest/bench-digest.ts')).benchDigest() },
  tracing: { run: async () => (await import('./tracing/bench-tracing.ts')).benchTracing() },
  page: { run: async () => (await import('./page/bench-page.ts')).benchPage() },
  path: { run: async () => (await import('./path/bench-path.ts')).benchPath() },
  home: { run: async () => (await import('./home/bench-home.ts')).benchHome() },
};
