import {
  actions,
  blocksForModal,
  button,
  context,
  divider,
  isClickable,
  type KnownBlock,
  type Message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { quoteInline, safe } from '../../../slack/ui/mrkdwn.ts';
import { type ChosenSettings, chosenSettings } from './digest-form.ts';
import { formatNextRun, formatSchedule } from './format-settings.ts';
import { backActionId } from './ids.ts';

const title = 'Digest';

/** Saves what the preview shows. */
export const previewForm = defineForm('digests.save', { metadata: chosenSettings, fields: {} });

export const checkingModal: ModalView = noticeModal(title, [section('Preparing the preview…')]);

export function cannotPostModal(isDirect: boolean): ModalView {
  const text = isDirect
    ? "Belay can't post digests in this conversation. Nothing was saved. Use a channel that Belay is in, or your direct messages with Belay."
    : "Belay isn't in this channel. Nothing was saved. Run `/invite @Belay` in the channel, then try again.";
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
    typedZone,
  }: {
    isSilent: boolean;
    /** Undefined for a digest that is due. */
    nextRunAt: Date | undefined;
    /** What was typed for the time zone, if not its name. */
    typedZone: string | undefined;
  },
): ModalView {
  const { settings } = chosen;
  const shown =
    'cause' in digest
      ? [section(`:warning: *Preview unavailable*\n${digest.cause}`)]
      : blocksForModal(digest.blocks ?? []);
  const back = button({
    text: 'Back',
    actionId: backActionId,
    value: encodeValue(chosen),
    accessibilityLabel: 'Back to the digest settings',
  });
  return previewForm.modal({
    title: 'Preview',
    submit: 'Save',
    metadata: chosen,
    blocks: [
      section(
        `*This digest, if posted now*\n${safe(formatSchedule(settings), 200)} · ${formatNextRun(nextRunAt)}`,
      ),
      ...(typedZone
        ? [context(`Time zone for ${quoteInline(typedZone, 60)}: ${settings.timeZone}`)]
        : []),
      ...(isSilent
        ? [section("There's nothing to report, so this digest wouldn't be posted now.")]
        : []),
      divider(),
      ...shown.flatMap(withoutButtons),
      divider(),
      ...(shown.some(isClickable)
        ? [context('The posted digest has buttons to view alerts.')]
        : []),
      actions([back]),
      context('Only visible to you · Not saved yet'),
    ],
  });
}

/** A modal that one of them opened would replace the preview. */
function withoutButtons(block: KnownBlock): KnownBlock[] {
  if (block.type === 'actions') return [];
  if (block.type !== 'section') return [block];
  const { accessory, ...rest } = block;
  return [rest];
}
