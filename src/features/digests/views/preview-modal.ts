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
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import type { ChosenSettings } from '../digest-form.ts';
import { nextText, scheduleText } from './format-digest.ts';
import { backActionId, saveCallbackId } from './ids.ts';

/**
 * The digest as it would be now, for one person alone. What is sent from here is saved. Without
 * `digest`, why it could not be put together: the wish can be saved all the same.
 */
export function previewModal(
  chosen: ChosenSettings,
  digest: Message | { trouble: string },
  {
    isSilent,
    nextRunAt,
  }: {
    isSilent: boolean;
    /** Undefined when one is due. */
    nextRunAt: Date | undefined;
  },
): ModalView {
  const { settings } = chosen;
  const shown =
    'trouble' in digest
      ? [section(`:warning: Belay could not put it together now. ${digest.trouble}`)]
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
        `*This is how it would look now.*\n${safe(scheduleText(settings), 200)}. ${nextText(nextRunAt)}`,
      ),
      ...(isSilent ? [section('Now there is nothing to tell, so it would not be posted.')] : []),
      divider(),
      // What its buttons open would take the place of the preview, which could not be saved then.
      ...shown.filter(({ type }) => type !== 'actions'),
      divider(),
      ...buttonsLine(shown).map(context),
      actions([back]),
      context('Only you see this. Nothing is saved yet.'),
    ],
  });
}

/** What the buttons of a digest are called, in a sentence. */
function buttonsLine(blocks: KnownBlock[]): string[] {
  const [first] = blocks.filter((block) => block.type === 'actions');
  const names = (first?.elements ?? []).flatMap((element) =>
    element.type === 'button' ? [`*${element.text.text}*`] : [],
  );
  if (names.length === 0) return [];
  const noun = names.length === 1 ? 'a button' : 'buttons';
  return [`It comes with ${noun} ${names.join(' and ')} for each alert.`];
}
