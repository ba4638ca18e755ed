import { actions, button, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { bold, code, moment } from '../../../slack/ui/mrkdwn.ts';
import { editConnectionActionId, openSetupActionId } from './ids.ts';

type Expiry = {
  /** Undefined in a workspace with one connection. */
  connectionName: string | undefined;
  originId: string;
  expiresAt: Date;
  isExpired: boolean;
};

/** Warns about an API token that expires soon or has expired. */
export function expiryMessage({ connectionName, originId, expiresAt, isExpired }: Expiry): Message {
  const isOnly = connectionName === undefined;
  const token = isOnly
    ? "Belay's API token"
    : `The API token of the connection ${bold(connectionName)}`;
  const where = isOnly ? '' : ' on this connection';
  const title = isExpired
    ? ':red_circle: *API token expired*'
    : ':warning: *API token expires soon*';
  const when = isExpired ? 'expired' : 'expires';
  const effect = isExpired
    ? `Belay can't read alerts or run requests${where} until the token is replaced.`
    : `After that, Belay can't read alerts or run requests${where}.`;
  const lines = [
    title,
    `${token} ${when} ${moment(expiresAt)}. ${effect}`,
    `An admin can replace the token with ${code(isOnly ? '/belay setup' : '/belay connection')}.`,
  ];
  const open = isOnly
    ? button({
        text: 'Open setup',
        accessibilityLabel: 'Open setup: replace the API token',
        actionId: openSetupActionId,
        value: encodeValue({}),
      })
    : button({
        text: 'Edit connection',
        accessibilityLabel: `Edit connection: replace the API token of ${connectionName}`,
        actionId: editConnectionActionId,
        value: encodeValue({ originId }),
      });
  return message([section(lines.join('\n')), actions([open])]);
}
