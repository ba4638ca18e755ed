import type { Person } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal, showInModal } from '../../slack/ui/modal.ts';
import { channelNotice } from './channel-notice.ts';
import { chosenSettings, fieldsOf, formMetadata } from './digest-form.ts';
import { findChangeable } from './find-changeable.ts';
import { checkingModal, type PreviewDependencies, previewDigest } from './preview-digest.ts';
import { type SaveDependencies, saveDigest } from './save-digest.ts';
import { showDigests } from './show-digests.ts';
import { defaultFields, digestFormModal } from './views/digest-form-modal.ts';
import { changedSinceMessage, endedMessage, goneMessage } from './views/digest-list-message.ts';
import { digestEndedMessage } from './views/digest-notice-message.ts';
import {
  backActionId,
  editActionId,
  endActionId,
  formCallbackId,
  newActionId,
  saveCallbackId,
} from './views/ids.ts';

export type DigestsDependencies = PreviewDependencies & SaveDependencies;

/** A channel's digests: any full member sees them and sets one up; `readMayChange` has who changes them. */
export function registerDigests(
  listeners: Listeners,
  dependencies: DigestsDependencies,
): Subcommand[] {
  const { store, clock } = dependencies;

  async function openForm(
    to: { slack: SlackClient; triggerId: string; person: Person },
    channelId: string,
  ): Promise<Message | undefined> {
    await openModal(to, digestFormModal(defaultFields(to.person.timeZone), { channelId }));
    return undefined;
  }

  listeners.action(newActionId, formMetadata, async (call) => {
    await openForm(call, call.value.channelId);
    return undefined;
  });

  listeners.action(editActionId, formMetadata, async (call) => {
    const { teamId, person, value } = call;
    const found = await findChangeable({ teamId, ...refOf(value) }, person, dependencies);
    if ('refusal' in found) return { reply: found.refusal };
    const { settings, version } = found.digest;
    await openModal(call, digestFormModal(fieldsOf(settings), { ...value, version }));
    return undefined;
  });

  listeners.action(endActionId, formMetadata, async ({ teamId, person, value, log }) => {
    const ref = { teamId, ...refOf(value) };
    const found = await findChangeable(ref, person, dependencies);
    if ('refusal' in found) return { reply: found.refusal };
    const { pausedReason, settings, version } = found.digest;
    // What the question named is another one by now.
    if (value.version !== version) return { reply: changedSinceMessage };
    const tell = channelNotice(ref.channelId, {
      subject: `digest:${ref.id}:end`,
      message: digestEndedMessage(settings, person.slackUserId),
    });
    // Where it is paused, nothing arrives.
    const digest = await store.end(ref, { tell: pausedReason ? undefined : tell, at: clock() });
    if (!digest) return { reply: goneMessage };
    log.info({ digestId: digest.id }, 'a digest was ended');
    return { reply: endedMessage(digest) };
  });

  listeners.verifiedSubmission(formCallbackId, {
    metadata: formMetadata,
    checking: checkingModal,
    verify: (call) => previewDigest(call, dependencies),
  });

  listeners.action(backActionId, chosenSettings, async (call) => {
    const { settings, ...metadata } = call.value;
    const form = digestFormModal(fieldsOf(settings), metadata);
    // To whoever closed the modal before there was a preview, it came as a message.
    if (call.viewId) await showInModal(call.slack, call.viewId, form);
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
      usage: 'digest [new]',
      summary: 'Show or set up digests here: what is new, open and cleared, at set times',
      async run(call) {
        const wish = call.text.trim().toLowerCase();
        if (wish === 'new') return openForm(call, call.channelId);
        if (wish) return unknownWish;
        return showDigests(call, dependencies);
      },
    },
  ];
}

function refOf({ channelId, digestId }: { channelId: string; digestId?: string | undefined }) {
  // No row has the id of nothing.
  return { channelId, id: digestId ?? '00000000-0000-0000-0000-000000000000' };
}

const unknownWish = notice(
  '`/belay digest` shows the digests here, `/belay digest new` sets one up.',
);
