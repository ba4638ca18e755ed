import type { Clock } from '../../clock.ts';
import type { SubmissionInteraction } from '../../slack/listeners/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { ChangeRights } from '../workspaces/index.ts';
import { firstPeriodStart, isSameSettings, maxDigestsPerChannel } from './digest.ts';
import type { ChosenSettings } from './digest-form.ts';
import { findChangeableDigest } from './find-changeable-digest.ts';
import { nextRun } from './next-run.ts';
import type { DigestStore } from './store/digest-store.ts';
import {
  changedMeanwhileMessage,
  goneMessage,
  savedMessage,
  tooManyMessage,
  unchangedMessage,
} from './views/digest-list-message.ts';
import { digestChangedMessage, digestSetUpMessage } from './views/digest-notice-message.ts';

export type SaveDependencies = ChangeRights & {
  store: DigestStore;
  clock: Clock;
  newId: () => string;
};

/**
 * Saves what was previewed: a new digest, or the change of one. The preview has found that Belay can
 * post in the channel, so paused digests there resume.
 */
export async function saveDigest(
  call: SubmissionInteraction<ChosenSettings>,
  dependencies: SaveDependencies,
): Promise<Message> {
  const { digestId } = call.metadata;
  return digestId ? changeDigest(call, digestId, dependencies) : createDigest(call, dependencies);
}

async function changeDigest(
  { teamId, person, metadata, log }: SubmissionInteraction<ChosenSettings>,
  digestId: string,
  dependencies: SaveDependencies,
): Promise<Message> {
  const { store, clock, newId } = dependencies;
  const { channelId, settings, version } = metadata;
  const ref = { teamId, channelId, id: digestId };
  // Rights can be lost between opening and sending the form.
  const found = await findChangeableDigest(ref, person, dependencies);
  if ('refusal' in found) return found.refusal;
  const before = found.digest;
  if (isSameSettings(before.settings, settings)) {
    return unchangedMessage(settings, await store.resume({ teamId, channelId }, clock()));
  }
  const [at, by] = [clock(), person.slackUserId];
  const notice = {
    subject: `digest:${digestId}:change:${newId()}`,
    message: digestChangedMessage({ before: before.settings, after: settings }, by),
  };
  const basedOn = version ?? before.version;
  const changed = await store.change(ref, { settings, basedOn, by, at, notice });
  if (!changed) return goneMessage;
  if (changed.result === 'changed-meanwhile') return changedMeanwhileMessage(changed.digest);
  log.info({ digestId }, 'a digest was changed');
  const resumed = await store.resume({ teamId, channelId }, clock());
  const { nextRunAt } = changed.digest;
  return savedMessage(settings, { nextRunAt: nextRunAt > at ? nextRunAt : undefined, resumed });
}

async function createDigest(
  { teamId, enterpriseId, person, metadata, viewId, log }: SubmissionInteraction<ChosenSettings>,
  { store, clock, newId }: SaveDependencies,
): Promise<Message> {
  const { channelId, settings } = metadata;
  const [id, createdAt, createdBy] = [newId(), clock(), person.slackUserId];
  const nextRunAt = nextRun(settings, createdAt);
  const result = await store.create(
    {
      ...{ id, teamId, enterpriseId, channelId, settings, nextRunAt },
      ...{ createdBy, createdAt, sourceViewId: viewId },
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
