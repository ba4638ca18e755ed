import type { Clock } from '../../clock.ts';
import { type Message, notice } from '../../slack/blocks.ts';
import { isDirectChannel, mayPostIn } from '../../slack/channel.ts';
import type { Listeners } from '../../slack/listeners.ts';
import { openModal, showInModal } from '../../slack/modal.ts';
import type { Person } from '../../slack/person.ts';
import type { SlackClient } from '../../slack/slack-client.ts';
import type { Subcommand } from '../../slack/subcommand.ts';
import type { OpenService } from '../workspaces/workspaces.ts';
import { chosenSettings, formMetadata } from './digest-form.ts';
import { digestFormModal, usualSettings } from './digest-form-modal.ts';
import { digestListMessage, endedMessage, goneMessage } from './digest-list-message.ts';
import type { ComplianceSamples, DigestStore } from './digest-store.ts';
import {
  backActionId,
  editActionId,
  endActionId,
  formCallbackId,
  newActionId,
  saveCallbackId,
} from './ids.ts';
import { checkingModal, previewDigest } from './preview-digest.ts';
import { saveDigest } from './save-digest.ts';

export type DigestsDependencies = {
  store: DigestStore;
  samples: Pick<ComplianceSamples, 'readAsOf'>;
  openService: OpenService;
  describeCause: (error: unknown) => string;
  clock: Clock;
  newId: () => string;
};

/** A channel's digests: shown, set up, changed and ended by any full member. */
export function registerDigests(
  listeners: Listeners,
  dependencies: DigestsDependencies,
): Subcommand[] {
  const { store } = dependencies;

  async function openForm(
    to: { slack: SlackClient; triggerId: string; person: Person },
    channelId: string,
  ): Promise<Message | undefined> {
    const settings = usualSettings(to.person.timeZone);
    await openModal(to, digestFormModal(settings, { channelId }));
    return undefined;
  }

  listeners.action(newActionId, formMetadata, async (call) => {
    await openForm(call, call.value.channelId);
    return undefined;
  });

  listeners.action(editActionId, formMetadata, async (call) => {
    const { teamId, value } = call;
    const digest = await store.find({ teamId, ...refOf(value) });
    if (!digest) return { reply: goneMessage };
    await openModal(call, digestFormModal(digest.settings, value));
    return undefined;
  });

  listeners.action(endActionId, formMetadata, async ({ teamId, value, log }) => {
    const digest = await store.end({ teamId, ...refOf(value) });
    if (!digest) return { reply: goneMessage };
    log.info({ digestId: digest.id }, 'a digest was ended');
    return { reply: endedMessage(digest) };
  });

  listeners.verifiedSubmission(formCallbackId, {
    metadata: formMetadata,
    checking: checkingModal,
    async verify(call) {
      const { slack, metadata } = call;
      const { channelId } = metadata;
      const mayPost = isDirectChannel(channelId) || (await mayPostIn(slack, channelId));
      return previewDigest(call, { ...dependencies, mayPost });
    },
  });

  listeners.action(backActionId, chosenSettings, async ({ slack, viewId, value }) => {
    const { settings, ...metadata } = value;
    if (viewId) await showInModal(slack, viewId, digestFormModal(settings, metadata));
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
        const { teamId, channelId, text } = call;
        const wish = text.trim().toLowerCase();
        if (wish === 'new') return openForm(call, channelId);
        if (wish) return unknownWish;
        return digestListMessage(channelId, await store.list({ teamId, channelId }));
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
