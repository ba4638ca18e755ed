import type { Message } from '../../slack/blocks.ts';
import type { SubmissionCall } from '../../slack/call.ts';
import type { ChosenSettings } from './digest-form.ts';
import { goneMessage, savedMessage, tooManyMessage } from './digest-list-message.ts';
import { findChangeable } from './find-changeable.ts';
import { nextRun } from './next-run.ts';
import type { DigestsDependencies } from './register.ts';
import { resumeDigests } from './resume-digests.ts';

/**
 * Saves what was previewed: a new digest, or the change of one. Belay can post there, so those that
 * were paused go on.
 */
export async function saveDigest(
  { teamId, enterpriseId, person, metadata, viewId, log }: SubmissionCall<ChosenSettings>,
  dependencies: DigestsDependencies,
): Promise<Message> {
  const { store, clock, newId } = dependencies;
  const { channelId, digestId, settings } = metadata;
  const now = clock();
  const nextRunAt = nextRun(settings, now);
  const by = person.slackUserId;
  if (digestId) {
    const ref = { teamId, channelId, id: digestId };
    // Between the form and its end, rights can go.
    const found = await findChangeable(ref, person, dependencies);
    if ('refusal' in found) return found.refusal;
    const isChanged = await store.change(ref, { settings, by, at: now, nextRunAt });
    if (!isChanged) return goneMessage;
    log.info({ digestId }, 'a digest was changed');
    const resumed = await resumeDigests({ teamId, channelId }, dependencies);
    return savedMessage(settings, { nextRunAt, resumed });
  }
  const id = newId();
  const result = await store.create({
    ...{ id, teamId, enterpriseId, channelId, settings, nextRunAt },
    ...{ createdBy: by, createdAt: now, sourceViewId: viewId },
  });
  if (result === 'too-many') return tooManyMessage;
  log.info({ digestId: id, result }, 'a digest was set up');
  const resumed = await resumeDigests({ teamId, channelId }, dependencies);
  return savedMessage(settings, { nextRunAt, resumed });
}
