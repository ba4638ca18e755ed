import { randomUUID } from 'node:crypto';
import { nextRun } from '../../jobs/next-run.ts';
import type {
  ActionInteraction,
  Interaction,
  SubmissionInteraction,
} from '../../slack/interactions/interaction.ts';
import { answerOn } from '../../slack/ui/answer-connection.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { Ref } from '../../subscriptions/subscription.ts';
import { requireMayChange } from '../../workspace/call.ts';
import { findAmong } from '../../workspace/choose-connection.ts';
import { type Digest, firstPeriodStart, isSameSettings, maxDigestsPerChannel } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import type { DigestStore } from './store/digest-store.ts';
import type { ChosenSettings, FormMetadata } from './views/digest-form.ts';
import {
  changedMeanwhileMessage,
  changedSinceMessage,
  endedMessage,
  goneMessage,
  savedMessage,
  tooManyMessage,
  unchangedMessage,
} from './views/digest-list-message.ts';

/**
 * Saves what was previewed: a new digest, or the change of one. The preview has found that Belay can
 * post in the channel, so paused digests there resume.
 */
export async function saveDigest(
  call: SubmissionInteraction<ChosenSettings>,
  context: DigestContext,
): Promise<Message> {
  const { digestId } = call.metadata;
  return digestId ? changeDigest(call, digestId, context) : createDigest(call, context);
}

async function changeDigest(
  call: SubmissionInteraction<ChosenSettings>,
  digestId: string,
  { store, clock }: DigestContext,
): Promise<Message> {
  const { teamId, person, metadata, log } = call;
  const { channelId, settings, version } = metadata;
  const ref = { teamId, channelId, id: digestId };
  // Rights can be lost between opening and sending the form.
  const before = await findChangeableDigest(ref, call, store);
  if (isSameSettings(before.settings, settings)) {
    return unchangedMessage(settings, await store.resume({ teamId, channelId }, clock()));
  }
  const [at, by] = [clock(), person.slackUserId];
  const basedOn = version ?? before.version;
  const changed = await store.change(ref, { settings, basedOn, by, at });
  if (!changed) return goneMessage;
  if (changed.result === 'changed-meanwhile') return changedMeanwhileMessage(changed.digest);
  log.info({ digestId }, 'a digest was changed');
  const resumed = await store.resume({ teamId, channelId }, clock());
  const { nextRunAt } = changed.digest;
  return savedMessage(settings, { nextRunAt: nextRunAt > at ? nextRunAt : undefined, resumed });
}

async function createDigest(
  call: SubmissionInteraction<ChosenSettings>,
  { store, clock }: DigestContext,
): Promise<Message> {
  const { teamId, person, metadata, viewId, log } = call;
  const { channelId, settings } = metadata;
  // Resolved, so that the digest stays on this connection when another becomes the default.
  const connection = findAmong(await call.connections())(call.connection?.originId);
  const [id, at] = [randomUUID(), clock()];
  const nextRunAt = nextRun(settings, at);
  const { result } = await store.create(
    {
      id,
      teamId,
      originId: connection?.originId,
      channelId,
      settings,
      nextRunAt,
      createdBy: person.slackUserId,
      at,
      sourceViewId: viewId,
      coveredUntil: firstPeriodStart(at),
    },
    { max: maxDigestsPerChannel },
  );
  if (result === 'too-many') return tooManyMessage;
  log.info({ digestId: id, result }, 'a digest was set up');
  const resumed = await store.resume({ teamId, channelId }, clock());
  return savedMessage(settings, { nextRunAt, resumed });
}

export async function endDigest(
  call: ActionInteraction<FormMetadata & { digestId: string }>,
  { store, clock }: DigestContext,
): Promise<Message> {
  const { teamId, person, value, log } = call;
  const ref = { teamId, channelId: value.channelId, id: value.digestId };
  const { version } = await findChangeableDigest(ref, call, store);
  // The confirmation named the schedule that the list showed.
  if (value.version !== version) return changedSinceMessage;
  const digest = await store.end({ ...ref, by: person.slackUserId, at: clock() });
  if (!digest) return goneMessage;
  log.info({ digestId: digest.id }, 'a digest was ended');
  const connection = findAmong(await call.connections())(digest.originId);
  return answerOn(endedMessage(digest), connection);
}

/** @throws Refusal if the digest has ended, or the caller may not change it */
export async function findChangeableDigest(
  ref: Ref,
  call: Interaction,
  store: DigestStore,
): Promise<Digest> {
  const digest = await store.find(ref);
  return requireMayChange(digest, call, { kind: 'digest', gone: goneMessage });
}
