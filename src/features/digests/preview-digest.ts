import type { Clock } from '../../clock.ts';
import { canPost } from '../../slack/api/can-post.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import type { SubmissionCall } from '../../slack/listeners/call.ts';
import type { Verdict } from '../../slack/listeners/verified-submission.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { notConnected, type OpenService, type Service } from '../workspaces/index.ts';
import { type CollectDependencies, collectDigest } from './collect-digest.ts';
import type { Digest, DigestSettings } from './digest.ts';
import { isEmpty } from './digest-contents.ts';
import { type FormMetadata, readDigestForm } from './digest-form.ts';
import type { DigestStore } from './digest-store.ts';
import { firstLookBack } from './first-look-back.ts';
import { nextRun } from './next-run.ts';
import { digestFormModal } from './views/digest-form-modal.ts';
import { digestMessage } from './views/digest-message.ts';
import { previewModal } from './views/preview-modal.ts';

export type PreviewDependencies = CollectDependencies & {
  store: Pick<DigestStore, 'find'>;
  openService: OpenService;
  describeCause: (error: unknown) => string;
  clock: Clock;
};

/** As long as a person waits for a preview. */
const patienceMs = 8000;

const title = 'Digest';
const say = (text: string): KnownBlock[] => [section(text)];

export const checkingModal: ModalView = noticeModal(title, say('Putting the digest together…'));

function cannotPost(isDirect: boolean): ModalView {
  return noticeModal(
    title,
    say(
      isDirect
        ? 'Belay can post digests in a channel that it is in, or in your own direct messages with it, but not here. Nothing was saved.'
        : 'Belay is not in this channel, so it could not post here. Nothing was saved. Type `/invite @Belay` in the channel, then try again.',
    ),
  );
}

/** Judges the form and shows the digest as it would be now. Nothing is saved. */
export async function previewDigest(
  { teamId, person, slack, values, metadata, log }: SubmissionCall<FormMetadata>,
  dependencies: PreviewDependencies,
): Promise<Verdict> {
  const { openService, describeCause, store, clock } = dependencies;
  const form = readDigestForm(values);
  if ('errors' in form) {
    const { errors, fields } = form;
    return { errors, again: digestFormModal(fields, metadata, Object.values(errors)) };
  }
  const { channelId } = metadata;
  const mayPost = await canPost({ slack, channelId, person });
  if (!mayPost) return { done: cannotPost(isDirectChannel(channelId)) };

  const { settings } = form;
  const chosen = { ...metadata, settings };
  const { digestId } = metadata;
  const digest = digestId ? await store.find({ teamId, channelId, id: digestId }) : undefined;
  const now = clock();
  const nextRunAt = nextRunOf(settings, digest, now);
  const preview = (shown: Parameters<typeof previewModal>[1], isSilent: boolean) => ({
    done: previewModal(chosen, shown, { isSilent, nextRunAt }),
  });
  try {
    const service = await openService(teamId);
    if (!service) return preview({ trouble: notConnected.text }, false);
    const since = digest?.coveredUntil ?? firstLookBack(now);
    const wish = { teamId, digestId, settings, channelId, since, now };
    const shown = await collect(wish, service, dependencies);
    return preview(shown.message, shown.isSilent);
  } catch (error) {
    log.warn({ err: error }, 'a digest could not be previewed');
    return preview({ trouble: describeCause(error) }, false);
  }
}

/** Undefined when one is due. A paused one goes on at its next time, not at once. */
function nextRunOf(
  settings: DigestSettings,
  before: Digest | undefined,
  at: Date,
): Date | undefined {
  const isDue = before !== undefined && !before.pausedReason && before.dueAt <= at;
  return isDue ? undefined : nextRun(settings, at);
}

type Wish = {
  teamId: string;
  digestId: string | undefined;
  settings: DigestSettings;
  channelId: string;
  since: Date;
  now: Date;
};

async function collect(
  { settings, channelId, ...span }: Wish,
  service: Service,
  { store, samples }: CollectDependencies,
) {
  const { since, now } = span;
  const signal = AbortSignal.timeout(patienceMs);
  const wish = { ...span, parts: settings.parts, signal };
  const { contents } = await collectDigest(service, wish, { store, samples });
  return {
    message: digestMessage({ settings, contents, since, now, lateFrom: undefined, channelId }),
    isSilent: settings.whenEmpty === 'silence' && isEmpty(contents),
  };
}
