import { describeCause } from '../../describe-failure.ts';
import { nextRun } from '../../jobs/next-run.ts';
import { canPost, isDirectChannel } from '../../slack/api/channel.ts';
import {
  type CommandInteraction,
  Refusal,
  type SubmissionOf,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { answerOn } from '../../slack/ui/answer-connection.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal, showInModal } from '../../slack/ui/modal.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { listAndResume } from '../../subscriptions/list-and-resume.ts';
import { findAmong } from '../../workspace/choose-connection.ts';
import { shownRights } from '../../workspace/permissions.ts';
import {
  type AlertSearch,
  defaultSearch,
  formatCommand,
  isExplicit,
  parseAlertSearch,
  type SearchNames,
  withoutListOptions,
} from '../alerts/index.ts';
import { endDigest, findChangeableDigest, saveDigest } from './change-digests.ts';
import { collectDigest } from './collect/collect-digest.ts';
import { isEmpty } from './collect/digest-contents.ts';
import { type Digest, firstPeriodStart, isDue } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import {
  chosenSettings,
  defaultSettings,
  digestButtonValue,
  digestForm,
  digestFormModal,
  fieldsOf,
  formMetadata,
  readDigestForm,
} from './views/digest-form.ts';
import { digestListMessage } from './views/digest-list-message.ts';
import { digestMessage } from './views/digest-message.ts';
import { backActionId, editActionId, endActionId, newActionId } from './views/ids.ts';
import {
  cannotPostModal,
  checkingModal,
  previewForm,
  previewModal,
} from './views/preview-modal.ts';

type ListenerContext = DigestContext & SearchNames;

/** Every full member sees a channel's digests and can add one; `requireMayChange` says who changes them. */
export function registerDigests(listeners: Listeners, context: ListenerContext): Subcommand[] {
  const { store, knownValues } = context;

  listeners.action(newActionId, formMetadata, async (call) => {
    await openEmptyForm(call, call.value.channelId, context);
    return undefined;
  });

  listeners.action(editActionId, digestButtonValue, async (call) => {
    const { teamId, value } = call;
    const ref = { teamId, channelId: value.channelId, id: value.digestId };
    const { originId, settings, version } = await findChangeableDigest(ref, call, store);
    const known = knownValues.read(teamId);
    const connection = findAmong(await call.connections())(originId);
    return { open: digestFormModal(fieldsOf(settings), { ...value, version }, known), connection };
  });

  listeners.action(endActionId, digestButtonValue, async (call) => ({
    reply: await endDigest(call, context),
  }));

  listeners.form(digestForm, {
    pending: checkingModal,
    verify: (call) => previewDigest(call, context),
  });

  listeners.action(backActionId, chosenSettings, async (call) => {
    const { settings, ...metadata } = call.value;
    const known = knownValues.read(call.teamId);
    const form = digestFormModal(fieldsOf(settings), metadata, known);
    // A preview arrives as a message if its modal was closed while the digest was collected.
    if (!call.viewId) return { open: form };
    await showInModal(call, call.viewId, form);
    return undefined;
  });

  listeners.form(previewForm, {
    run: (call) => saveDigest(call, context),
  });

  return [
    {
      name: 'digest',
      about: 'items',
      usage: 'digest [new [filters] | now]',
      summary: 'Show or add digests: scheduled summaries of alerts and compliance',
      async run(call) {
        const typed = unescapeMrkdwn(call.text).trim();
        const argument = typed.toLowerCase();
        if (argument.startsWith('new ')) return openFilteredForm(call, typed.slice(4), context);
        if (argument === 'now') return showNow(call, context);
        if (argument === 'new') return openEmptyForm(call, call.channelId, context);
        return argument === '' ? showDigests(call, context) : usageMessage;
      },
    },
  ];
}

const usageMessage = notice(
  'Run `/belay digest` to see the digests here, `/belay digest new` to add one, or `/belay digest now` to read one now.',
);

/**
 * The last 24 hours as a digest, for the reader alone: with the settings of the first digest here, of
 * those on the command's connection if there are any.
 */
async function showNow(call: CommandInteraction, context: ListenerContext): Promise<Message> {
  const { store, clock } = context;
  const { teamId, channelId, person, slack } = call;
  const digests = await store.list({ teamId, channelId });
  const find = findAmong(await call.connections());
  const isOnSameConnection = ({ originId }: Digest) =>
    find(originId)?.originId === call.connection?.originId;
  const digest = digests.find(isOnSameConnection) ?? digests[0];
  const settings = digest?.settings ?? defaultSettings(person.timeZone);
  const now = clock();
  const since = firstPeriodStart(now);
  const signal = AbortSignal.timeout(timeoutMs);
  const input = { teamId, channelId, digestId: digest?.id, settings, since, now, signal, slack };
  const service = await call.service(digest && { originId: digest.originId });
  const { contents } = await collectDigest(service, input, context);
  const message = digestMessage({ ...input, contents });
  // The buttons must look up alerts on the digest's connection, not on the channel's.
  return answerOn(message, find(digest ? digest.originId : call.connection?.originId));
}

/** A new digest with a typed filter. The service isn't asked for values, because Slack waits for the form. */
async function openFilteredForm(
  call: CommandInteraction,
  filter: string,
  context: ListenerContext,
): Promise<Message | undefined> {
  const { teamId, channelId, person } = call;
  const { knownValues, savedFilters, clock } = context;
  const saved = await savedFilters.list(teamId, [person.slackUserId, channelId]);
  const known = knownValues.read(teamId);
  const parsed = parseAlertSearch(filter, clock(), known, person.timeZone, saved);
  if ('problem' in parsed) return notice(parsed.problem);
  const { search, used } = parsed;
  if (!isExplicit(filter, parsed)) return unknownFilterMessage;
  if (search.status === 'active' && search.since === undefined)
    return openEmptyForm(call, channelId, context, withoutListOptions(search));
  const whose = used ? `The saved filter is ${formatCommand(used.search)}. ` : '';
  return notice(`${whose}${noListOptions}`);
}

const unknownFilterMessage = notice(
  'No saved filter has this name. To list saved filters, run `/belay alerts filters`. To filter by text, put it in quotation marks.',
);
const noListOptions =
  'Remove the status and the time, because a digest shows what was raised and cleared since the one before.';

async function openEmptyForm(
  to: Pick<CommandInteraction, 'teamId' | 'slack' | 'triggerId' | 'person' | 'connection'>,
  channelId: string,
  { knownValues }: Pick<ListenerContext, 'knownValues'>,
  search: AlertSearch = defaultSearch,
): Promise<undefined> {
  const known = knownValues.read(to.teamId);
  // The list is about every digest of the channel, the form about one.
  const connection = to.connection && { ...to.connection, isNamed: true };
  await openModal(
    { ...to, connection },
    digestFormModal(
      fieldsOf({ ...defaultSettings(to.person.timeZone), search }),
      { channelId },
      known,
    ),
  );
}

/** Lists the channel's digests. Paused ones resume if Belay can post in the channel again. */
async function showDigests(
  call: CommandInteraction,
  { store, clock }: DigestContext,
): Promise<Message> {
  const { channelId, person } = call;
  const [{ items, resumed }, connections, workspace] = await Promise.all([
    listAndResume(call, store, clock),
    call.connections(),
    call.settings(),
  ]);
  return digestListMessage(channelId, items, {
    now: clock(),
    findConnection: findAmong(connections),
    mayChange: (digest) => shownRights.mayChange(digest, person, workspace),
    resumed,
  });
}

/** How long a person waits for a preview. */
const timeoutMs = 8000;

/** Validates the form and shows the digest as it would be now. Saves nothing. */
export async function previewDigest(
  { teamId, person, service, slack, entered, metadata, log }: SubmissionOf<typeof digestForm>,
  context: ListenerContext,
): Promise<VerificationResult> {
  const { store, knownValues, clock } = context;
  const form = readDigestForm(entered);
  if ('errors' in form) {
    const { errors, fields } = form;
    return { errors, retry: digestFormModal(fields, metadata, knownValues.read(teamId)) };
  }
  const { channelId, digestId } = metadata;
  const mayPost = await canPost({ slack, channelId, person });
  if (!mayPost) return { done: cannotPostModal(isDirectChannel(channelId)) };

  const { settings, typedZone } = form;
  const digest = digestId ? await store.find({ teamId, channelId, id: digestId }) : undefined;
  const now = clock();
  const nextRunAt = digest && isDue(digest, now) ? undefined : nextRun(settings, now);
  const preview = (shown: Parameters<typeof previewModal>[1], isSilent: boolean) => ({
    done: previewModal({ ...metadata, settings }, shown, { isSilent, nextRunAt, typedZone }),
  });
  try {
    const since = digest?.coveredUntil ?? firstPeriodStart(now);
    const signal = AbortSignal.timeout(timeoutMs);
    const input = { teamId, channelId, digestId, settings, since, now, signal, slack };
    const { contents } = await collectDigest(
      await service(digest && { originId: digest.originId }),
      input,
      context,
    );
    const isSilent = settings.whenEmpty === 'silence' && isEmpty(contents);
    return preview(digestMessage({ ...input, contents }), isSilent);
  } catch (error) {
    if (error instanceof Refusal) return preview({ cause: error.answer.text }, false);
    log.warn({ err: error }, 'a digest could not be previewed');
    return preview({ cause: describeCause(error) }, false);
  }
}
