import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

/** What the database says about the work of all processes, for gauges. */
export type Backlog = {
  /** Requests by state, finished ones included. */
  requests: Record<string, number>;
  /** OAuth installations by state. */
  installations: Record<string, number>;
  /** By kind of work: when the item that is due longest became due; undefined if nothing is due. */
  oldestDueAt: Record<string, Date | undefined>;
  /** Messages that wait in the outbox, and since when the oldest one does. */
  outbox: { waiting: number; oldestQueuedAt: Date | undefined };
  auditEntries: number;
  /** Live processes on this database. */
  replicas: number;
};

type Timed = { ms: number };
/** Of a request from Slack: `command`, `action`, `submission` or `other`. */
type Acknowledged = Timed & { kind: string };
type Handled = Timed & { listener: string };
type Called = Timed & { method: string; outcome: string };

export type Metrics = ReturnType<typeof createMetrics>;

/** Up to Slack's limit for an acknowledgment, 3 s. */
const ackBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/**
 * The metrics of this process, in their own registry. Labels hold only names that the code
 * knows (methods, listeners, outcomes, states), never ids of people, workspaces or tenants.
 */
export function createMetrics({ version }: { version: string }) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: 1000 });

  const acknowledgments = new Histogram({
    name: 'belay_ack_seconds',
    help: 'Time until a request from Slack was acknowledged, by kind',
    labelNames: ['kind'],
    buckets: ackBuckets,
    registers,
  });
  const listeners = new Histogram({
    name: 'belay_listener_seconds',
    help: 'Time until a command, click or form was answered, by listener',
    labelNames: ['listener'],
    buckets: callBuckets,
    registers,
  });
  const failures = new Counter({
    name: 'belay_listener_failures_total',
    help: 'Failures shown to a person with a reference, by listener',
    labelNames: ['listener'],
    registers,
  });
  const slackCalls = new Histogram({
    name: 'belay_slack_call_seconds',
    help: 'Calls to Slack, by method and outcome',
    labelNames: ['method', 'outcome'],
    buckets: callBuckets,
    registers,
  });
  const serviceCalls = new Histogram({
    name: 'belay_service_request_seconds',
    help: 'Requests to the service, each attempt, by HTTP method and outcome',
    labelNames: ['method', 'outcome'],
    buckets: callBuckets,
    registers,
  });
  const polls = new Counter({
    name: 'belay_polls_total',
    help: 'Polls of the alerts of a connection, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const tokenRefreshes = new Counter({
    name: 'belay_token_refreshes_total',
    help: "Refreshes of Slack's bot tokens, each attempt, by outcome",
    labelNames: ['outcome'],
    registers,
  });
  const tokenRetries = new Counter({
    name: 'belay_token_refresh_retries_total',
    help: 'Retries of a refresh whose earlier attempt got no answer from Slack',
    registers,
  });
  const lastCheckpoint = new Gauge({
    name: 'belay_last_checkpoint_timestamp_seconds',
    help: 'When the checkpoint file was last known to be up to date',
    registers,
  });
  new Gauge({
    name: 'belay_build_info',
    help: 'The version of this process',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const setBacklog = createBacklogGauges(registers);

  return {
    acknowledged: ({ kind, ms }: Acknowledged) => acknowledgments.observe({ kind }, ms / 1000),
    handled: ({ listener, ms }: Handled) => listeners.observe({ listener }, ms / 1000),
    failed: ({ listener }: Pick<Handled, 'listener'>) => failures.inc({ listener }),
    slackCalled: ({ method, outcome, ms }: Called) =>
      slackCalls.observe({ method, outcome }, ms / 1000),
    serviceCalled: ({ method, outcome, ms }: Called) =>
      serviceCalls.observe({ method, outcome }, ms / 1000),
    polled: (outcome: string) => polls.inc({ outcome }),
    tokenRefreshed({ outcome, isRetry }: { outcome: string; isRetry: boolean }): void {
      tokenRefreshes.inc({ outcome });
      if (isRetry) tokenRetries.inc();
    },
    checkpointed: (at: Date) => lastCheckpoint.set(at.getTime() / 1000),
    /**
     * In the Prometheus text format. Without a backlog, its gauges are left out: an old value would
     * look like a current one.
     */
    async render(backlog: Backlog | undefined, now: Date): Promise<string> {
      setBacklog(backlog, now);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Returns a function that sets the gauges that come from the database. */
function createBacklogGauges(registers: Registry[]) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const up = gauge('belay_database_up', 'Whether the database answered at the scrape, 1 or 0');
  const requests = gauge('belay_requests', 'Approval requests by state', ['state']);
  const installed = gauge('belay_installations', 'OAuth installations by state', ['state']);
  const oldestDue = gauge('belay_oldest_due_seconds', 'Age of the oldest due work', ['kind']);
  const depth = gauge('belay_outbox_messages', 'Messages that wait in the outbox');
  const lateness = gauge('belay_outbox_oldest_seconds', 'Age of the oldest message in the outbox');
  const entries = gauge('belay_audit_log_entries', 'Entries in the audit log');
  const replicas = gauge('belay_replicas', 'Live processes on this database');

  return (backlog: Backlog | undefined, now: Date): void => {
    const age = (at: Date | undefined) => (at ? Math.max(0, +now - +at) / 1000 : 0);
    for (const one of [requests, installed, oldestDue]) one.reset();
    for (const one of [depth, lateness, entries, replicas]) one.remove({});
    up.set(backlog ? 1 : 0);
    if (!backlog) return;
    for (const [state, count] of Object.entries(backlog.requests)) requests.set({ state }, count);
    for (const [state, count] of Object.entries(backlog.installations)) {
      installed.set({ state }, count);
    }
    for (const [kind, at] of Object.entries(backlog.oldestDueAt)) oldestDue.set({ kind }, age(at));
    depth.set(backlog.outbox.waiting);
    lateness.set(age(backlog.outbox.oldestQueuedAt));
    entries.set(backlog.auditEntries);
    replicas.set(backlog.replicas);
  };
}
