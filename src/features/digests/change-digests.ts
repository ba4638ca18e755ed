import type { Clock } from '../../clock.ts';
import {
  type ActionInteraction,
  type Interaction,
  Refusal,
  type SubmissionInteraction,
} from '../../slack/interactions/interaction.ts';
import { answerOn } from '../../slack/ui/answer-connection.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type ConnectionSummary, findAmong, requireMayChange } from '../workspaces/index.ts';
import {
  type Digest,
  type DigestRef,
  firstPeriodStart,
  isSameSettings,
  maxDigestsPerChannel,
} from './digest.ts';
import { nextRun } from './next-run.ts';
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
import {
  digestChangedMessage,
  digestEndedMessage,
  digestSetUpMessage,
} from './views/digest-notice-message.ts';

export type ChangeDependencies = {
  store: DigestStore;
  /** Those in use. */
  listConnections: (teamId: string) => Promise<ConnectionSummary[]>;
  clock: Clock;
  newId: () => string;
};

/**
 * Saves what was previewed: a new digest, or the change of one. The preview has found that Belay can
 * post in the channel, so paused digests there resume.
 */
export async function saveDigest(
  call: SubmissionInteraction<ChosenSettings>,
  dependencies: ChangeDependencies,
): Promise<Message> {
  const { digestId } = call.metadata;
  return digestId ? changeDigest(call, digestId, dependencies) : createDigest(call, dependencies);
}

async function changeDigest(
  call: SubmissionInteraction<ChosenSettings>,
  digestId: string,
  { store, clock, newId }: ChangeDependencies,
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
  const channelNotice = {
    subject: `digest:${digestId}:change:${newId()}`,
    message: digestChangedMessage({ before: before.settings, after: settings }, by),
  };
  const basedOn = version ?? before.version;
  const changed = await store.change(ref, { settings, basedOn, by, at, notice: channelNotice });
  if (!changed) return goneMessage;
  if (changed.result === 'changed-meanwhile') return changedMeanwhileMessage(changed.digest);
  log.info({ digestId }, 'a digest was changed');
  const resumed = await store.resume({ teamId, channelId }, clock());
  const { nextRunAt } = changed.digest;
  return savedMessage(settings, { nextRunAt: nextRunAt > at ? nextRunAt : undefined, resumed });
}

async function createDigest(
  call: SubmissionInteraction<ChosenSettings>,
  { store, listConnections, clock, newId }: ChangeDependencies,
): Promise<Message> {
  const { teamId, enterpriseId, person, metadata, viewId, log } = call;
  const { channelId, settings } = metadata;
  // Resolved, so that the digest stays on this connection when another becomes the default.
  const connection = findAmong(await listConnections(teamId))(call.connection?.originId);
  const [id, createdAt, createdBy] = [newId(), clock(), person.slackUserId];
  const nextRunAt = nextRun(settings, createdAt);
  const result = await store.create(
    {
      id,
      teamId,
      enterpriseId,
      originId: connection?.originId,
      channelId,
      settings,
      nextRunAt,
      createdBy,
      createdAt,
      sourceViewId: viewId,
      coveredUntil: firstPeriodStart(createdAt),
    },
    {
      notice: { subject: `digest:${id}:set-up`, message: digestSetUpMessage(settings, createdBy) },
      maxDigests: maxDigestsPerChannel,
    },
  );
  if (result === 'too-many') return tooManyMessage;
  log.info({ digestId: id, result }, 'a digest was set up');
  const resumed = await store.resume({ teamId, channelId }, clock());
  return savedMessage(settings, { nextRunAt, resumed });
}

export async function endDigest(
  call: ActionInteraction<FormMetadata & { digestId: string }>,
  { store, listConnections, clock }: ChangeDependencies,
): Promise<Message> {
  const { teamId, person, value, log } = call;
  const ref = { teamId, channelId: value.channelId, id: value.digestId };
  const { pausedReason, settings, version } = await findChangeableDigest(ref, call, store);
  // The confirmation named the schedule that the list showed.
  if (value.version !== version) return changedSinceMessage;
  const channelNotice = {
    subject: `digest:${ref.id}:end`,
    message: digestEndedMessage(settings, person.slackUserId),
  };
  // A paused digest's channel can't be reached.
  const ending = { notice: pausedReason ? undefined : channelNotice, at: clock() };
  const digest = await store.end(ref, ending);
  if (!digest) return goneMessage;
  log.info({ digestId: digest.id }, 'a digest was ended');
  const connection = findAmong(await listConnections(teamId))(digest.originId);
  return answerOn(endedMessage(digest), connection);
}

/** @throws Refusal if the digest has ended, or the caller may not change it */
export async function findChangeableDigest(
  ref: DigestRef,
  call: Interaction,
  store: Pick<DigestStore, 'find'>,
): Promise<Digest> {
  const digest = await store.find(ref);
  if (!digest) throw new Refusal(goneMessage);
  await requireMayChange(digest, call, 'digest');
  return digest;
}
