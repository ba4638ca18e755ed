import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  actionsIfAny,
  type Button,
  button,
  context,
  divider,
  header,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { bold, code, moment, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import type { ConnectionSummary } from '../../../workspace/workspace.ts';
import {
  addConnectionActionId,
  editConnectionActionId,
  makeDefaultActionId,
  pinChannelActionId,
  removeConnectionActionId,
  unpinChannelActionId,
} from './ids.ts';

export type ListedConnection = ConnectionSummary & {
  /** Undefined for a region that is no longer in the configuration. */
  regionLabel: string | undefined;
  token: 'unreadable' | { expiresAt: Date | undefined };
  isUsedHere: boolean;
};

type ListOptions = {
  channelId: string;
  /** Whether the channel has its own connection. */
  isPinned: boolean;
  mayPin: boolean;
  isAdmin: boolean;
  canAdd: boolean;
};

/** The connections of a workspace, the default one first. */
export function connectionListMessage(
  connections: ListedConnection[],
  options: ListOptions,
): Message {
  const isOnly = connections.length === 1;
  const place = thisPlace(options.channelId);
  const blocks = connections.flatMap((connection): KnownBlock[] => [
    section(formatConnection(connection, place)),
    ...actionsIfAny(buttonsOf(connection, { ...options, isOnly })),
  ]);
  return message([
    header('Connections'),
    ...blocks,
    ...(options.isAdmin && options.canAdd ? [divider(), actions([addButton])] : []),
    context(isOnly ? onlyHint : severalHint(place)),
  ]);
}

const onlyHint = 'An admin can add connections for other regions, tenants or organizational units.';
const severalHint = (place: string) =>
  `To use a connection once, add ${code('on:<name>')} to a command. To set the connection of ${place}, run ${code('/belay connection use <name>')}.`;

function formatConnection(connection: ListedConnection, place: string): string {
  const { name, regionId, regionLabel, organizationalUnitId, tokenOwner } = connection;
  const marks = [
    ...(connection.isDefault ? ['default'] : []),
    ...(connection.isUsedHere ? [`used in ${place}`] : []),
  ];
  const region = regionLabel ? safe(regionLabel) : `${safeName(regionId)} (not configured)`;
  const facts = [
    `Region: ${region}`,
    `Organizational unit: ${organizationalUnitId ? safeName(organizationalUnitId, 100) : "the token's own"}`,
    formatToken(connection.token),
    `Token owner: ${tokenOwner === undefined ? 'not set' : safeName(tokenOwner, 100)}`,
  ];
  return `${[bold(name), ...marks].join(' · ')}\n${facts.join(' · ')}`;
}

function formatToken(token: ListedConnection['token']): string {
  if (token === 'unreadable') return "⚠ API token: can't be decrypted";
  const { expiresAt } = token;
  return expiresAt ? `API token: expires ${moment(expiresAt)}` : 'API token: no expiration date';
}

function buttonsOf(
  { originId, name, isDefault, isUsedHere }: ListedConnection,
  { channelId, isPinned, mayPin, isAdmin, isOnly }: ListOptions & { isOnly: boolean },
): Button[] {
  const value = encodeValue({ originId });
  const make = (text: string, actionId: string) =>
    button({ text, actionId, value, accessibilityLabel: `${text}: connection ${name}` });
  const pin = isUsedHere
    ? isPinned && make('Stop using here', unpinChannelActionId)
    : make(`Use in ${thisPlace(channelId)}`, pinChannelActionId);
  return [
    ...(mayPin && !isOnly && pin ? [pin] : []),
    ...(isAdmin ? [make('Edit', editConnectionActionId)] : []),
    ...(isAdmin && !isDefault ? [make('Make default', makeDefaultActionId)] : []),
    ...(isAdmin && !isDefault ? [make('Remove', removeConnectionActionId)] : []),
  ];
}

const addButton = button({
  text: 'Add connection',
  actionId: addConnectionActionId,
  value: encodeValue({}),
  accessibilityLabel: 'Add connection: for another region, tenant or organizational unit',
});
