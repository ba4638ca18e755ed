import type { Clock } from '../../clock.ts';
import type { SubmissionCall } from '../../slack/listeners/call.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { ChangeRights } from '../workspaces/index.ts';
import { channelNotice } from './channel-notice.ts';
import { digestsPerChannel, isSameSettings } from './digest.ts';
import type { ChosenSettings } from './digest-form.ts';
import type { DigestStore } from './digest-store.ts';
import { findChangeable } from './find-changeable.ts';
import { firstLookBack } from './first-look-back.ts';
import { nextRun } from './next-run.ts';
import { resumeDigests } from './resume-digests.ts';
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
 * Saves what was previewed: a new digest, or the change of one. Belay can post there, so those that
 * were paused go on.
 */
export async function saveDigest(
  call: SubmissionCall<ChosenSettings>,
  dependencies: SaveDependencies,
): Promise<Message> {
  const { digestId } = call.metadata;
  return digestId ? changeDigest(call, digestId, dependencies) : setUpDigest(call, dependencies);
}

async function changeDigest(
  { teamId, person, metadata, log }: SubmissionCall<ChosenSettings>,
  digestId: string,
  dependencies: SaveDependencies,
): Promise<Message> {
  const { store, clock, newId } = dependencies;
  const { channelId, settings, version: basedOn } = metadata;
  const ref = { teamId, channelId, id: digestId };
  // Between the form and its end, rights can go.
  const found = await findChangeable(ref, person, dependencies);
  if ('refusal' in found) return found.refusal;
  if (isSameSettings(found.digest.settings, settings)) {
    return unchangedMessage(settings, await resumeDigests({ teamId, channelId }, dependencies));
  }
  const [at, by] = [clock(), person.slackUserId];
  const tell = channelNotice(channelId, {
    subject: `digest:${digestId}:change:${newId()}`,
    message: digestChangedMessage({ before: found.digest.settings, after: settings }, by),
  });
  const nextRunOf = ({ isDue }: { isDue: boolean }) => (isDue ? at : nextRun(settings, at));
  const wish = { settings, basedOn: basedOn ?? found.digest.version, by, at, nextRunOf, tell };
  const changed = await store.change(ref, wish);
  if (!changed) return goneMessage;
  if (changed.result === 'changed-meanwhile') return changedMeanwhileMessage(changed.digest);
  log.info({ digestId }, 'a digest was changed');
  const resumed = await resumeDigests({ teamId, channelId }, dependencies);
  const { nextRunAt } = changed.digest;
  return savedMessage(settings, { nextRunAt: nextRunAt > at ? nextRunAt : undefined, resumed });
}

async function setUpDigest(
  { teamId, enterpriseId, person, metadata, viewId, log }: SubmissionCall<ChosenSettings>,
  dependencies: SaveDependencies,
): Promise<Message> {
  const { store, clock, newId } = dependencies;
  const { channelId, settings } = metadata;
  const [id, createdAt, createdBy] = [newId(), clock(), person.slackUserId];
  const nextRunAt = nextRun(settings, createdAt);
  const result = await store.create(
    {
      ...{ id, teamId, enterpriseId, channelId, settings, nextRunAt },
      ...{ createdBy, createdAt, sourceViewId: viewId },
      coveredUntil: firstLookBack(createdAt),
    },
    {
      tell: channelNotice(channelId, {
        subject: `digest:${id}:set-up`,
        message: digestSetUpMessage(settings, createdBy),
      }),
      atMost: digestsPerChannel,
    },
  );
  if (result === 'too-many') return tooManyMessage;
  log.info({ digestId: id, result }, 'a digest was set up');
  const resumed = await resumeDigests({ teamId, channelId }, dependencies);
  return savedMessage(settings, { nextRunAt, resumed });
}
