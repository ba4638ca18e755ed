import { actions, button, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { code, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { openSetupActionId } from './ids.ts';

type Expiry = {
  /** Undefined in a workspace with one connection. */
  connectionName: string | undefined;
  expiresAt: Date;
  isExpired: boolean;
};

/** Warns about an API token, before and after its end. */
export function expiryMessage({ connectionName, expiresAt, isExpired }: Expiry): Message {
  const name = connectionName === undefined ? '' : ` of the connection *${safe(connectionName)}*`;
  const title = isExpired
    ? ':red_circle: *API token expired*'
    : ':warning: *API token expires soon*';
  const when = isExpired ? 'expired' : 'expires';
  const effect = isExpired
    ? "Belay can't read alerts or run requests until the token is replaced."
    : "After that, Belay can't read alerts or run requests.";
  const lines = [
    title,
    `Belay's API token${name} ${when} ${moment(expiresAt)}. ${effect}`,
    `An admin can replace the token with ${code(connectionName === undefined ? '/belay setup' : '/belay connection')}.`,
  ];
  const open = button({
    text: 'Open setup',
    accessibilityLabel: 'Open setup: replace the API token',
    actionId: openSetupActionId,
    value: encodeValue({}),
  });
  // Setup has the default connection only.
  const buttons = connectionName === undefined ? [actions([open])] : [];
  return message(lines.join('\n'), [section(lines.join('\n')), ...buttons]);
}
