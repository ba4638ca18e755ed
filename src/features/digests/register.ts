import type { Clock } from '../../clock.ts';
import { canPost, isDirectChannel } from '../../slack/api/channel.ts';
import type {
  CommandInteraction,
  SubmissionInteraction,
} from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import type { VerificationResult } from '../../slack/listeners/verified-submission.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal, showInModal } from '../../slack/ui/modal.ts';
import type { ResolveDependencies } from '../alerts/index.ts';
import {
  type ChangeRights,
  findAmong,
  notConnected,
  type OpenService,
  shownRights,
} from '../workspaces/index.ts';
import {
  type ChangeDependencies,
  endDigest,
  findChangeableDigest,
  saveDigest,
} from './change-digests.ts';
import { type CollectDependencies, collectDigest } from './collect/collect-digest.ts';
import { isEmpty } from './collect/digest-contents.ts';
import { type Digest, type DigestSettings, firstPeriodStart } from './digest.ts';
import {
  chosenSettings,
  digestButtonValue,
  type FormMetadata,
  fieldsOf,
  formMetadata,
  readDigestForm,
} from './digest-form.ts';
import { nextRun } from './next-run.ts';
import type { DigestStore } from './store/digest-store.ts';
import { defaultFields, digestFormModal } from './views/digest-form-modal.ts';
import { digestListMessage } from './views/digest-list-message.ts';
import { digestMessage } from './views/digest-message.ts';
import {
  backActionId,
  editActionId,
  endActionId,
  formCallbackId,
  newActionId,
  saveCallbackId,
} from './views/ids.ts';
import { cannotPostModal, checkingModal, previewModal } from './views/preview-modal.ts';

export type DigestsDependencies = PreviewDependencies & ChangeDependencies;

/** Every full member sees a channel's digests and can add one; `readMayChange` says who changes them. */
export function registerDigests(
  listeners: Listeners,
  dependencies: DigestsDependencies,
): Subcommand[] {
  const { knownValues, listConnections } = dependencies;

  listeners.action(newActionId, formMetadata, async (call) => {
    await openEmptyForm(call, call.value.channelId, dependencies);
    return undefined;
  });

  listeners.action(editActionId, digestButtonValue, async (call) => {
    const { teamId, person, value } = call;
    const ref = { teamId, channelId: value.channelId, id: value.digestId };
    const found = await findChangeableDigest(ref, person, dependencies);
    if ('refusal' in found) return { reply: found.refusal };
    const { settings, version } = found.digest;
    const known = knownValues.read(teamId);
    const connection = findAmong(await listConnections(teamId))(found.digest.originId);
    await openModal(
      { ...call, connection },
      digestFormModal(fieldsOf(settings), { ...value, version }, { known }),
    );
    return undefined;
  });

  listeners.action(endActionId, digestButtonValue, async (call) => ({
    reply: await endDigest(call, dependencies),
  }));

  listeners.verifiedSubmission(formCallbackId, {
    metadata: formMetadata,
    pending: checkingModal,
    verify: (call) => previewDigest(call, dependencies),
  });

  listeners.action(backActionId, chosenSettings, async (call) => {
    const { settings, ...metadata } = call.value;
    const known = knownValues.read(call.teamId);
    const form = digestFormModal(fieldsOf(settings), metadata, { known });
    // A preview arrives as a message if its modal was closed while the digest was collected.
    if (call.viewId) await showInModal(call, call.viewId, form);
    else await openModal(call, form);
    return undefined;
  });

  listeners.submission(saveCallbackId, {
    metadata: chosenSettings,
    run: (call) => saveDigest(call, dependencies),
  });

  return [
    {
      name: 'digest',
      about: 'items',
      usage: 'digest [new]',
      summary: 'Show or add digests: scheduled summaries of alerts and compliance',
      async run(call) {
        const argument = call.text.trim().toLowerCase();
        if (argument === 'new') return openEmptyForm(call, call.channelId, dependencies);
        return argument === '' ? showDigests(call, dependencies) : usageMessage;
      },
    },
  ];
}

const usageMessage = notice(
  'Run `/belay digest` to see the digests here, or `/belay digest new` to add one.',
);

async function openEmptyForm(
  to: Pick<CommandInteraction, 'teamId' | 'slack' | 'triggerId' | 'person' | 'connection'>,
  channelId: string,
  { knownValues }: Pick<DigestsDependencies, 'knownValues'>,
): Promise<undefined> {
  const known = knownValues.read(to.teamId);
  // The list is about every digest of the channel, the form about one.
  const connection = to.connection && { ...to.connection, isNamed: true };
  await openModal(
    { ...to, connection },
    digestFormModal(defaultFields(to.person.timeZone), { channelId }, { known }),
  );
}

type ShowDependencies = Pick<
  ChangeDependencies,
  keyof ChangeRights | 'store' | 'listConnections' | 'clock'
>;

/** Lists the channel's digests. Paused ones resume if Belay can post in the channel again. */
async function showDigests(
  call: CommandInteraction,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { store, listConnections, clock } = dependencies;
  const { teamId, channelId, person } = call;
  const [before, connections, mayChange] = await Promise.all([
    store.list({ teamId, channelId }),
    listConnections(teamId),
    shownRights.readMayChange(teamId, person, dependencies),
  ]);
  const isPaused = before.some(({ pausedReason }) => pausedReason !== undefined);
  const resumed =
    isPaused && (await canPost(call)) ? await store.resume({ teamId, channelId }, clock()) : 0;
  const digests = resumed > 0 ? await store.list({ teamId, channelId }) : before;
  const findConnection = findAmong(connections);
  return digestListMessage(channelId, digests, {
    now: clock(),
    findConnection,
    mayChange,
    resumed,
  });
}

type PreviewDependencies = CollectDependencies &
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
