import type { Clock } from '../../clock.ts';
import { canPost, isDirectChannel } from '../../slack/api/channel.ts';
import type { SubmissionInteraction } from '../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../slack/listeners/verified-submission.ts';
import type { ResolveDependencies } from '../alerts/index.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { type CollectDependencies, collectDigest } from './collect/collect-digest.ts';
import { isEmpty } from './collect/digest-contents.ts';
import { type Digest, type DigestSettings, firstPeriodStart } from './digest.ts';
import { type FormMetadata, readDigestForm } from './digest-form.ts';
import { nextRun } from './next-run.ts';
import type { DigestStore } from './store/digest-store.ts';
import { digestFormModal } from './views/digest-form-modal.ts';
import { digestMessage } from './views/digest-message.ts';
import { cannotPostModal, previewModal } from './views/preview-modal.ts';

export type PreviewDependencies = CollectDependencies &
  Pick<ResolveDependencies, 'knownValues'> & {
    store: Pick<DigestStore, 'find'>;
    openService: OpenService;
    describeCause: (error: unknown) => string;
    clock: Clock;
  };

/** How long a person waits for a preview. */
const timeoutMs = 8000;

/** Validates the form and shows the digest as it would be now. Saves nothing. */
export async function previewDigest(
  { teamId, person, connection, slack, values, metadata, log }: SubmissionInteraction<FormMetadata>,
  { openService, describeCause, knownValues, clock, ...collecting }: PreviewDependencies,
): Promise<VerificationResult> {
  const form = readDigestForm(values);
  if ('errors' in form) {
    const { errors, fields } = form;
    const shown = { known: knownValues.read(teamId), errors: Object.values(errors) };
    return { errors, retry: digestFormModal(fields, metadata, shown) };
  }
  const { channelId, digestId } = metadata;
  const mayPost = await canPost({ slack, channelId, person });
  if (!mayPost) return { done: cannotPostModal(isDirectChannel(channelId)) };

  const { settings, typedZone } = form;
  const digest = digestId
    ? await collecting.store.find({ teamId, channelId, id: digestId })
    : undefined;
  const now = clock();
  const nextRunAt = nextRunOf(settings, digest, now);
  const preview = (shown: Parameters<typeof previewModal>[1], isSilent: boolean) => ({
    done: previewModal({ ...metadata, settings }, shown, { isSilent, nextRunAt, typedZone }),
  });
  try {
    const service = await openService(teamId, digest ?? connection);
    if (!service) return preview({ cause: notConnected.text }, false);
    const since = digest?.coveredUntil ?? firstPeriodStart(now);
    const signal = AbortSignal.timeout(timeoutMs);
    const input = { teamId, digestId, settings, since, now, signal, slack };
    const { contents } = await collectDigest(service, input, collecting);
    const view = { settings, contents, since, now, lateFrom: undefined, channelId };
    const isSilent = settings.whenEmpty === 'silence' && isEmpty(contents);
    return preview(digestMessage(view), isSilent);
  } catch (error) {
    log.warn({ err: error }, 'a digest could not be previewed');
    return preview({ cause: describeCause(error) }, false);
  }
}

/** As `DigestStore.change` sets it. Undefined for a digest that is due. */
function nextRunOf(
  settings: DigestSettings,
  before: Digest | undefined,
  at: Date,
): Date | undefined {
  const isDue = before !== undefined && !before.pausedReason && before.dueAt <= at;
  return isDue ? undefined : nextRun(settings, at);
}
