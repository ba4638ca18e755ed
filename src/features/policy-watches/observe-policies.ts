import type { Clock } from '../../clock.ts';
import { storable } from '../../database/canonical-text.ts';
import { newLease } from '../../database/leases.ts';
import { type PolicyDefinition, writablePolicy } from '../../dataprotection/resources/policies.ts';
import { addMilliseconds } from '../../dates.ts';
import { describeCause } from '../../describe-failure.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { Outgoing } from '../../postings/outbox/message.ts';
import { maxIdLength } from '../../slack/ui/codec.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import { listAllPolicies } from '../compliance/index.ts';
import { storedDefinitionSchema } from '../policies/index.ts';
import { type ExternalChange, findChanges, type ListedPolicy } from './find-changes.ts';
import { weakeningFirst } from './recorded-change.ts';
import type { Observation, ObservationStore } from './store/observation-store.ts';
import { externalChangeMessage, externalChangesMessage } from './views/change-message.ts';

type ObserveDependencies = {
  observations: ObservationStore;
  openService: OpenService;
  /** How often the policies of a connection are read. */
  policyIntervalMs: number;
  clock: Clock;
  log: Logger;
};

/** After a failure, or the interval if that is shorter. */
const retryMs = 5 * 60_000;
/** For the whole list. */
const readMs = 60_000;
/** After this long, another process takes over. */
const leaseMs = 5 * 60_000;
/** If one reading finds more changes, they are posted as one message. */
const maxOwnMessages = 5;

/**
 * Reads the policies of every connection that is due, and queues the changes made outside Belay for
 * the channels that watch. Any number of processes may do so.
 */
export function createPolicyObserver(dependencies: ObserveDependencies): DueWork {
  const { observations, policyIntervalMs: intervalMs, clock, log } = dependencies;
  const logFailure = ({ teamId, connectionId }: Observation, error: unknown) =>
    log.warn({ teamId, connectionId, err: error }, 'policies could not be observed');
  return createDueWork({
    prepare: () => observations.prepare({ at: clock(), intervalMs }),
    lease: (limit) => observations.leaseDue(newLease(clock, leaseMs), limit),
    async work(observation) {
      const at = clock();
      try {
        await observe(observation, at, dependencies);
      } catch (error) {
        logFailure(observation, error);
        const reason = describeCause(error);
        const nextAt = addMilliseconds(clock(), Math.min(retryMs, intervalMs));
        await observations.fail(observation, { reason, at, nextAt });
      }
    },
    onFailed: logFailure,
    limits: { limitMs: leaseMs },
  });
}

async function observe(
  observation: Observation,
  startedAt: Date,
  { observations, openService, policyIntervalMs, clock }: ObserveDependencies,
): Promise<void> {
  const nextAt = addMilliseconds(startedAt, policyIntervalMs);
  const { teamId, connectionId } = observation;
  const service = await openService(teamId, { connectionId });
  // A connection that replaced this one is claimed on its own.
  if (!service) return observations.release(observation, nextAt);
  const { client } = service;
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  if (!policies) return observations.recordUnlisted(observation, { at: startedAt, nextAt });
  const listed = policies.filter(hasStorableId).map((policy): ListedPolicy => {
    return { id: policy.id, definition: asStored(writablePolicy(client, policy)) };
  });
  const isFirst = observation.observedAt === undefined;
  const read = { startedAt, at: clock(), nextAt };
  await observations.record(observation, read, ({ observed, requests }) => {
    if (isFirst) return { seen: listed, missing: [], deleted: [], changes: [], outgoing: [] };
    const found = findChanges(observed, listed, requests);
    return { ...found, outgoing: toOutgoing(found.changes, connectionId, startedAt) };
  });
}

/** As it is stored, to compare with next time: JSON has no infinite numbers, which a service can send. */
function asStored(definition: PolicyDefinition): PolicyDefinition {
  return storedDefinitionSchema.parse(JSON.parse(JSON.stringify(definition)));
}

function hasStorableId({ id }: { id: string }): boolean {
  return id.length <= maxIdLength && id === storable(id);
}

/** The changes that weaken protection first; many at once are one message. */
function toOutgoing(changes: ExternalChange[], connectionId: string, at: Date): Outgoing[] {
  const sorted = weakeningFirst(changes);
  if (sorted.length > maxOwnMessages) {
    const subject = `policies:${connectionId}:${at.getTime()}`;
    return [{ subject, message: externalChangesMessage(sorted) }];
  }
  return sorted.map((change) => ({
    // Policies of two connections can have the same id.
    subject: `policy:${connectionId}:${change.policyId}:${at.getTime()}`,
    message: externalChangeMessage(change),
  }));
}
