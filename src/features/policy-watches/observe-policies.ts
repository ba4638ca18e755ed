import type { Clock } from '../../clock.ts';
import { storable } from '../../database/canonical-text.ts';
import { type PolicyDefinition, writablePolicy } from '../../dataprotection/resources/policies.ts';
import type { Logger } from '../../logger.ts';
import type { Outgoing } from '../../outbox/index.ts';
import { maxIdLength } from '../../slack/ui/codec.ts';
import { listAllPolicies } from '../compliance/index.ts';
import { overallWeight, storedDefinitionSchema } from '../policies/index.ts';
import type { OpenService } from '../workspaces/index.ts';
import { type ExternalChange, findChanges, type ListedPolicy } from './find-changes.ts';
import type { Observation, PolicyWatchStore } from './store/policy-watch-store.ts';
import { externalChangeMessage } from './views/change-message.ts';

export type ObserveDependencies = {
  policyWatches: PolicyWatchStore;
  openService: OpenService;
  clock: Clock;
  newId: () => string;
  log: Logger;
};

/** How often the policies of a connection are read. */
const intervalMs = 15 * 60_000;
/** After a failure. */
const retryMs = 5 * 60_000;
/** For the whole list. */
const readMs = 60_000;
/** After this long, another process takes over. */
const leaseMs = 5 * 60_000;

/** Ends a call, however many connections are due. */
const maxPerCall = 50;

/**
 * Reads the policies of every connection that is due, and queues the changes made outside Belay for
 * the channels that watch. Any number of processes may call this. After `stopping`, no other connection
 * is read.
 */
export async function observePolicies(
  dependencies: ObserveDependencies,
  stopping?: AbortSignal,
): Promise<void> {
  const { policyWatches, clock, newId, log } = dependencies;
  for (let count = 0; count < maxPerCall && !stopping?.aborted; count += 1) {
    const at = clock();
    const until = later(at, leaseMs);
    const claimed = await policyWatches.claim({ holder: newId(), at, until });
    if (!claimed) return;
    try {
      await observe(claimed, at, dependencies);
    } catch (error) {
      const { teamId, connectionId } = claimed;
      log.warn({ teamId, connectionId, err: error }, 'policies could not be observed');
      await policyWatches.release(claimed, later(clock(), retryMs));
    }
  }
}

async function observe(
  observation: Observation,
  startedAt: Date,
  { policyWatches, openService, clock }: ObserveDependencies,
): Promise<void> {
  const nextAt = later(startedAt, intervalMs);
  const service = await openService(observation.teamId);
  // A connection that replaced this one is claimed on its own.
  if (service?.connectionId !== observation.connectionId) {
    return policyWatches.release(observation, nextAt);
  }
  const { client } = service;
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  if (!policies) return policyWatches.release(observation, nextAt);
  const listed = policies.filter(hasStorableId).map((policy): ListedPolicy => {
    return { id: policy.id, definition: asStored(writablePolicy(client, policy)) };
  });
  const isFirst = observation.observedAt === undefined;
  const read = { startedAt, at: clock(), nextAt };
  await policyWatches.record(observation, read, ({ observed, requests }) => {
    if (isFirst) return { seen: listed, missing: [], deleted: [], outgoing: [] };
    const { changes, ...found } = findChanges(observed, listed, requests);
    return { ...found, outgoing: toOutgoing(changes, startedAt) };
  });
}

/** As it is stored, to compare with next time: JSON has no infinite numbers, which a service can send. */
function asStored(definition: PolicyDefinition): PolicyDefinition {
  return storedDefinitionSchema.parse(JSON.parse(JSON.stringify(definition)));
}

function hasStorableId({ id }: { id: string }): boolean {
  return id.length <= maxIdLength && id === storable(id);
}

/** The changes that weaken protection first. */
function toOutgoing(changes: ExternalChange[], at: Date): Outgoing[] {
  const isWeaker = ({ kind, changes: lines }: ExternalChange) =>
    kind === 'deleted' || overallWeight(lines) === 'weaker';
  return changes
    .toSorted((one, other) => Number(isWeaker(other)) - Number(isWeaker(one)))
    .map((change) => ({
      subject: `policy:${change.policyId}:${at.getTime()}`,
      message: externalChangeMessage(change),
    }));
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
