import { randomUUID } from 'node:crypto';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import { canPost, isDirectChannel, thisPlace } from '../../../slack/api/channel.ts';
import {
  type CommandInteraction,
  type Interaction,
  Refusal,
} from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { safe, unescapeMrkdwn } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { Created } from '../../../subscriptions/store.ts';
import { requireMayChange } from '../../../workspace/call.ts';
import {
  canStoreSample,
  type FoundPolicy,
  findPolicy,
  listAllPolicies,
  type PolicyName,
  readCompliance,
} from '../../compliance/index.ts';
import { endWatch } from '../end-watch.ts';
import {
  editComplianceForm,
  editComplianceModal,
  formatCountNow,
} from '../views/compliance-watch-messages.ts';
import { editComplianceActionId, endComplianceActionId, watchValue } from '../views/ids.ts';
import {
  cannotPostMessage,
  formatResumed,
  goneMessage,
  tooManyWatches,
} from '../views/watch-notices.ts';
import { maxWatchesPerChannel } from '../watch.ts';
import type { WatchContext } from '../watch-context.ts';
import type { ComplianceWatch } from './compliance-watch.ts';

/** *Edit* and *End watch* of compliance watches, in the list of a channel's watches. */
export function registerComplianceWatches(
  listeners: Listeners,
  { complianceWatches, clock }: WatchContext,
): void {
  /** @throws Refusal if the watch has ended, or the caller may not change it */
  async function findChangeable(call: Interaction, id: string) {
    const watch = await complianceWatches.find({ teamId: call.teamId, id });
    return requireMayChange(watch, call, { kind: 'watch', gone: goneMessage });
  }

  listeners.action(editComplianceActionId, watchValue, async (call) => {
    const watch = await findChangeable(call, call.value.watchId);
    return { open: editComplianceModal(watch, call.channelId) };
  });

  listeners.form(editComplianceForm, {
    async run(call) {
      const { metadata, entered, teamId, person } = call;
      await findChangeable(call, metadata.watchId);
      const change = { teamId, id: metadata.watchId, by: person.slackUserId, at: clock() };
      const changed = await complianceWatches.changeLimit({ ...change, ...entered });
      return changed ? undefined : goneMessage;
    },
  });

  listeners.action(endComplianceActionId, watchValue, async (call) => {
    const watch = await findChangeable(call, call.value.watchId);
    return endWatch(call, watch, complianceWatches, clock());
  });
}

/** How long a person waits for the list of policies and the count of one. */
const timeoutMs = 8000;

/**
 * Adds a watch on the policy with this name or id, or changes the number of the one that the channel
 * has. It begins with the count as it is now: only a rise is posted. Returns the answer to the person.
 *
 * @throws ServiceError, and Refusal if the caller may not change the watch that the channel has
 */
export async function addComplianceWatch(
  call: CommandInteraction,
  typed: { policy: string; maxCount: number },
  context: WatchContext,
): Promise<Message> {
  const { complianceWatches, listKnownPolicies, clock } = context;
  const { teamId, channelId, person } = call;
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const signal = AbortSignal.timeout(timeoutMs);
  const { client, connectionId, originId } = await call.service();
  const listKnown = () => listKnownPolicies({ teamId, connectionId });
  const nameOrId = unescapeMrkdwn(typed.policy);
  const chosen = await choosePolicy(client, nameOrId, { listKnown, signal });
  if ('problem' in chosen) return notice(`${chosen.problem} No watch was added.`);
  const { policy, count } = chosen;
  const { maxCount } = typed;
  const created = await complianceWatches.create(
    {
      id: randomUUID(),
      teamId,
      originId,
      channelId,
      policy,
      maxCount,
      count,
      createdBy: person.slackUserId,
      at: clock(),
    },
    { max: maxWatchesPerChannel },
  );
  const answer = await answerOf(created, call, { maxCount, count }, context);
  // As with watches of alerts, somebody is using them again.
  const compliance = await complianceWatches.resume({ teamId, channelId }, clock());
  return notice([...answer, ...formatResumed({ compliance })].join('\n'));
}

/**
 * Lines of mrkdwn. A watch that the channel has gets the limit.
 *
 * @throws Refusal if it has ended, or the caller may not change it
 */
async function answerOf(
  created: Created<ComplianceWatch>,
  call: CommandInteraction,
  { maxCount, count }: { maxCount: number; count: number | undefined },
  { complianceWatches, clock }: WatchContext,
): Promise<string[]> {
  if (created.result === 'too-many') return [tooManyWatches];
  const { item: watch } = created;
  const { teamId, channelId, person } = call;
  const place = thisPlace(channelId);
  const isPaused = watch.pausedReason !== undefined;
  // Resumed, it posts a count above the limit, which the line about the count doesn't say.
  const now = isPaused ? [] : [formatCountNow({ policy: watch.policy, maxCount, count })];
  if (created.result === 'created') {
    const when = `A message is posted in ${place} when the number of noncompliant volumes rises above the limit.`;
    return [`Watch added. ${when}`, ...now];
  }
  if (watch.maxCount === maxCount) {
    return [`${capitalize(place)} already has this watch. No watch was added.`, ...now];
  }
  await requireMayChange(watch, call, { kind: 'watch', gone: goneMessage });
  const change = { teamId, id: watch.id, by: person.slackUserId, at: clock() };
  const isChanged = await complianceWatches.changeLimit({ ...change, maxCount });
  if (!isChanged) throw new Refusal(goneMessage);
  return [`Limit changed. ${capitalize(place)} already had a watch for this policy.`, ...now];
}

/** `count`: noncompliant volumes now; undefined if the service has no figures of the policy. */
type ChosenPolicy =
  | { policy: PolicyName; count: number | undefined }
  /** Mrkdwn. */
  | { problem: string };

/**
 * The policy with this name or id and its count now. Where the service lists no policies, `listKnown`
 * gives those that Belay knows; any other is known by its id only.
 *
 * @throws ServiceError
 */
async function choosePolicy(
  client: ServiceClient,
  nameOrId: string,
  { listKnown, signal }: { listKnown: () => Promise<PolicyName[]>; signal: AbortSignal },
): Promise<ChosenPolicy> {
  const policies = await listAllPolicies(client, signal);
  const typed = `“${safe(nameOrId, 100)}”`;
  const found = policies
    ? findPolicy<PolicyName>(policies, nameOrId)
    : findKnown(await listKnown(), nameOrId);
  if (found.result === 'several') {
    const problem = `${found.policies.length} policies match ${typed}. Enter more of the name, or the ID.`;
    return { problem };
  }
  if (found.result === 'none') {
    const nearest = found.nearest.map(({ name }) => `“${safe(name, 100)}”`).join(', ');
    const meant = nearest ? `Did you mean ${nearest}?` : 'To see all, run `/belay compliance`.';
    return { problem: `No policy has the name or ID ${typed}. ${meant}` };
  }
  const { id, name } = found.policy;
  const reading = await readCompliance(client, id, signal);
  if (reading.outcome === 'failed') throw reading.error;
  if (!canStoreSample(id) || (!policies && reading.outcome === 'none')) {
    return { problem: `The service has no data for a policy with the ID ${typed}.` };
  }
  const count = reading.outcome === 'read' ? reading.statistics.nonCompliantCount : undefined;
  return { policy: { id, name }, count };
}

function findKnown(known: PolicyName[], nameOrId: string): FoundPolicy<PolicyName> {
  const found = findPolicy(known, nameOrId);
  if (found.result !== 'none') return found;
  return { result: 'found', policy: { id: nameOrId, name: nameOrId } };
}
