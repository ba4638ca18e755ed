import {
  actions,
  button,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { link, moment } from '../../../slack/ui/mrkdwn.ts';
import { openSetupActionId, tokenPageActionId } from './ids.ts';

/** Below the token field of the setup form. */
export function tokenPageOffer(formId: string, receivedAt: Date | undefined): KnownBlock {
  const getLink = button({
    text: 'Get link',
    accessibilityLabel: 'Get link: enter the token on a web page',
    actionId: tokenPageActionId,
    value: encodeValue({ formId }),
  });
  const text = receivedAt
    ? `:white_check_mark: *Token received* on the web page ${moment(receivedAt)}. To use that token, leave the field above empty and save this form.`
    : "*Enter the token on a web page instead*, so that it doesn't pass through Slack. Leave the field above empty.";
  return section(text, getLink);
}

/** Only the admin who opened the form sees this. */
export function tokenLinkModal(address: string): ModalView {
  return noticeModal('Enter API token', [
    section(`${link(address, 'Open the page')} and enter the token there.`),
    section('After you send the token, close this dialog and save the setup form.'),
    section('The link works once, within 10 minutes. Only you can see the link.'),
  ]);
}

/** To the admin, directly, when the token was entered. */
export function tokenReceivedMessage(): Message {
  const lines = [
    ':white_check_mark: *Token received*',
    'Belay received the API token that was entered on the web page. Save the setup form within an hour to use the token.',
    "If you didn't enter a token, don't save the form.",
  ];
  const open = button({
    text: 'Open setup',
    accessibilityLabel: 'Open setup: save the received API token',
    actionId: openSetupActionId,
    value: encodeValue({}),
  });
  return message(lines.join('\n'), [section(lines.join('\n')), actions([open])]);
}
