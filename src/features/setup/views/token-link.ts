import {
  actions,
  type Button,
  button,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { bold, link, moment } from '../../../slack/ui/mrkdwn.ts';
import type { PageFacts } from '../../../workspace/store/token-pages.ts';
import { firstConnection, newConnection, type TokenPageForm } from '../setup-form.ts';
import {
  addConnectionActionId,
  editConnectionActionId,
  openSetupActionId,
  tokenPageActionId,
} from './ids.ts';

/** Below the token field of a form. */
export function tokenPageOffer(page: TokenPageForm, receivedAt: Date | undefined): KnownBlock {
  const getLink = button({
    text: 'Get link',
    accessibilityLabel: 'Get link: enter the token on a web page',
    actionId: tokenPageActionId,
    value: encodeValue(page),
  });
  const text = receivedAt
    ? `:white_check_mark: *Token received* on the web page ${moment(receivedAt)}. To use that token, leave the field above empty and save this form.`
    : "*Enter the token on a web page instead*, so that the token doesn't pass through Slack. Leave the field above empty.";
  return section(text, getLink);
}

/** Only the admin who opened the form sees this. */
export function tokenLinkModal(address: string): ModalView {
  return noticeModal('Enter API token', [
    section(`${link(address, 'Open the page')} and enter the token there.`),
    section('After you send the token, close this dialog and save the form.'),
    section('The link works once, within 10 minutes. Only you can see the link.'),
  ]);
}

/** To the admin, directly, when the token was entered. */
export function tokenReceivedMessage({ connection, tokenFor }: ReceivedFor): Message {
  const name = tokenFor === newConnection ? ' for a new connection' : nameOf(connection);
  const lines = [
    ':white_check_mark: *Token received*',
    `Belay received the API token${name} that was entered on the web page. Save the form within an hour to use the token.`,
    "If you didn't enter a token, don't save the form.",
  ];
  return message([section(lines.join('\n')), actions([openForm({ tokenFor })])]);
}

type ReceivedFor = Pick<PageFacts, 'connection' | 'tokenFor'>;

function nameOf(connection: string | undefined): string {
  return connection === undefined ? '' : ` of the connection ${bold(connection)}`;
}

/** The form that the token is for. */
function openForm({ tokenFor }: Pick<ReceivedFor, 'tokenFor'>): Button {
  const make = (text: string, actionId: string, value: Record<string, unknown>) =>
    button({
      text,
      actionId,
      value: encodeValue(value),
      accessibilityLabel: `${text}: save the received API token`,
    });
  if (tokenFor === newConnection) return make('Add connection', addConnectionActionId, {});
  return tokenFor === firstConnection
    ? make('Open setup', openSetupActionId, {})
    : make('Edit connection', editConnectionActionId, { originId: tokenFor });
}
