import { inspect } from 'node:util';
import {
  type Portal,
  type ReferenceService,
  startReferenceService,
} from '../../../playground/service/start-service.ts';
import { createServiceClient, createTransport } from '../../../src/dataprotection/client.ts';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import { ServiceError } from '../../../src/dataprotection/http/errors.ts';
import { createLimiters, type Limiters } from '../../../src/dataprotection/http/limiter.ts';
import type { FaultCase } from './faults.ts';
import { findIds, type Ids, type Operation } from './operations.ts';

export type Cell = {
  /** `ok`, the name of the error's class, or what else was thrown. */
  outcome: string;
  mayHaveActed: boolean | undefined;
  isInTime: boolean;
  /** The statuses of the responses to writes. */
  writes: (number | undefined)[];
  /** All texts of the error that could end up in a log line or a message. */
  shown: string;
};

/** Short for faults that end in a timeout, else long, so that a busy machine doesn't cause one. */
const short = { timeoutMs: 100, deadlineMs: 500 };
const long = { timeoutMs: 8_000, deadlineMs: 10_000 };
/** Tolerance for a busy machine. */
const toleranceMs = 5_000;

const retry = { maxAttempts: 3, firstWaitMs: 1, maxWaitMs: 100 };

export async function tryOperation(
  { kind, method, run }: Operation,
  { fault, outcomes }: FaultCase,
  { service, portal, ids, limiters }: Stage,
): Promise<Cell> {
  await settle(service, portal);
  // A short timeout is only needed for endless lists; elsewhere a busy machine could exceed it.
  const isUnaffected = fault !== 'closed' && fault.kind === 'endless-list' && kind !== 'list';
  const mayWait = outcomes.includes('ServiceTimeoutError') && !isUnaffected;
  const { timeoutMs, deadlineMs } = mayWait ? short : long;
  if (kind === 'write') service.reset();
  const before = service.requests.length;
  service.setFault(fault === 'closed' ? undefined : fault, method ? { method } : {});
  const baseUrl = fault === 'closed' ? 'http://127.0.0.1:9' : portal.baseUrl;
  const requestsPerSecond = 10_000;
  const options = { retry, timeoutMs };
  const connection = { baseUrl, dialect: service.dialect, token: portal.token, requestsPerSecond };
  // A new cache, so that discovery is requested and gets the fault too. New connections too: one that the
  // service closes after an earlier fault could take a request with it.
  const transport = createTransport({ limiters });
  const client = createServiceClient(connection, transport, options);

  const startedAt = performance.now();
  const signal = AbortSignal.timeout(deadlineMs);
  const error = await run(client, ids, signal).then(unconfirmed, (thrown: unknown) => thrown);
  const isInTime = performance.now() - startedAt < deadlineMs + toleranceMs;
  await transport.dispatcher.destroy();
  await settle(service, portal);
  const writes = service.requests.slice(before).filter((request) => request.method !== 'GET');
  return {
    outcome: nameOf(error),
    mayHaveActed: error instanceof ServiceError ? error.mayHaveActed : undefined,
    isInTime,
    writes: writes.map(({ status }) => status),
    shown: inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error),
  };
}

/**
 * Waits until the service has read all requests: on a busy machine an aborted request can arrive
 * late, and would be counted for the next operation.
 */
async function settle(service: ReferenceService, portal: Portal): Promise<void> {
  service.setFault(undefined);
  for (const path of ['/one', '/two']) await fetch(portal.baseUrl + path);
}

type Stage = {
  service: ReferenceService;
  portal: Portal;
  /** Stable across resets. */
  ids: Ids;
  limiters: Limiters;
};

/** A separate service for each operation, because a fault applies to all requests. */
export async function openStage(dialect: Dialect): Promise<Stage & { close: () => Promise<void> }> {
  const service = await startReferenceService({ dialect, users: 120 });
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  return {
    service,
    portal,
    ids: findIds(service, portal),
    limiters: createLimiters(),
    close: () => service.close(),
  };
}

/** `replacePolicy` returns an unconfirmed outcome as a value; it counts as a failure here. */
function unconfirmed(result: unknown): unknown {
  const isError = typeof result === 'object' && result !== null && 'error' in result;
  return isError ? result.error : undefined;
}

function nameOf(error: unknown): string {
  if (error === undefined) return 'ok';
  return error instanceof ServiceError ? error.name : `not a ServiceError: ${inspect(error)}`;
}
