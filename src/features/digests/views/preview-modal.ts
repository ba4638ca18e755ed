import {
  actions,
  button,
  context,
  divider,
  type KnownBlock,
  type Message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import type { ChosenSettings } from '../digest-form.ts';
import { formatNextRun, formatSchedule } from './format-settings.ts';
import { backActionId, saveCallbackId } from './ids.ts';

const title = 'Digest';

export const checkingModal: ModalView = noticeModal(title, [
  section('Putting the digest together…'),
]);

export function cannotPostModal(isDirect: boolean): ModalView {
  const text = isDirect
    ? 'Belay can post digests in a channel that it is in, or in your own direct messages with it, but not here. Nothing was saved.'
    : 'Belay is not in this channel, so it could not post here. Nothing was saved. Type `/invite @Belay` in the channel, then try again.';
  return noticeModal(title, [section(text)]);
}

/**
 * The digest as it would be now; submitting saves it. With `cause`, why it could not be collected,
 * which is no reason not to save it. If the person closed the modal meanwhile, the preview arrives as a
 * message, which can't save anything: its button leads back to the form.
 */
export function previewModal(
  chosen: ChosenSettings,
  digest: Message | { cause: string },
  {
    isSilent,
    nextRunAt,
  }: {
    isSilent: boolean;
    /** Undefined for a digest that is due. */
    nextRunAt: Date | undefined;
  },
): ModalView {
  const { settings } = chosen;
  const shown =
    'cause' in digest
      ? [section(`:warning: Belay could not put it together now. ${digest.cause}`)]
      : (digest.blocks ?? []);
  const back = button({
    text: 'Back to the form',
    actionId: backActionId,
    value: encodeValue(chosen),
  });
  return formModal({
    title: 'Preview',
    callbackId: saveCallbackId,
    submit: 'Save',
    metadata: encodeValue(chosen),
    blocks: [
      section(
        `*This is how it would look now.*\n${safe(formatSchedule(settings), 200)}. ${formatNextRun(nextRunAt)}`,
      ),
      ...(isSilent ? [section('Now there is nothing to tell, so it would not be posted.')] : []),
      divider(),
      // A modal opened by one of its buttons would replace the preview.
      ...shown.filter(({ type }) => type !== 'actions'),
      divider(),
      ...formatButtonsNote(shown).map(context),
      actions([back]),
      context('Only you see this. Nothing is saved yet.'),
    ],
  });
}

/** Names the buttons that the preview leaves out. */
function formatButtonsNote(blocks: KnownBlock[]): string[] {
  const [first] = blocks.filter((block) => block.type === 'actions');
  const names = (first?.elements ?? []).flatMap((element) =>
    element.type === 'button' ? [`*${element.text.text}*`] : [],
  );
  if (names.length === 0) return [];
  const noun = names.length === 1 ? 'a button' : 'buttons';
  return [`It comes with ${noun} ${names.join(' and ')} for each alert.`];
}
