import { once } from '../once.ts';
import type { NamedConnection } from '../slack/interactions/choose-connection.ts';
import {
  type CallContext,
  type Interaction,
  MissingRight,
  Refusal,
  type Right,
} from '../slack/interactions/interaction.ts';
import { type Message, notice } from '../slack/ui/blocks.ts';
import { chooseAmong } from './choose-connection.ts';
import { notConnected, type Service, type ServiceOf } from './open-service.ts';
import { isAdmin, mayChange, offersAction } from './permissions.ts';
import type { WorkspaceSettings } from './settings/document.ts';
import type { WorkspaceStore } from './store/workspace-store.ts';
import type { ConnectionRef, ConnectionSummary } from './workspace.ts';

declare module '../slack/interactions/interaction.ts' {
  interface CallContext {
    /**
     * The service of the call's connection, or else of the default one; or of another one.
     * @throws Refusal if there is none, and what `ServiceOf` throws
     */
    service: (which?: ConnectionRef) => Promise<Service>;
    /** Those in use, read once: the default one, then the others by name. */
    connections: () => Promise<ConnectionSummary[]>;
    settings: () => Promise<WorkspaceSettings>;
  }
}

/** What a call knows of its workspace. Connections and settings are read when first needed, once. */
export function createOpenContext({
  store,
  serviceOf,
}: {
  store: Pick<WorkspaceStore, 'readConnections' | 'findPinned' | 'readSettings'>;
  serviceOf: ServiceOf;
}): (teamId: string) => CallContext {
  return (teamId) => {
    const read = once(() => store.readConnections(teamId));
    const open = async (which: ConnectionRef | undefined) => {
      const service = serviceOf((await read()).open(which));
      if (!service) throw new Refusal(notConnected);
      return service;
    };
    const shared = {
      settings: once(() => store.readSettings(teamId)),
      connections: async () => (await read()).inUse,
      chooseConnection: async (named: NamedConnection) =>
        chooseAmong((await read()).inUse, named, (channelId) =>
          store.findPinned(teamId, channelId),
        ),
    };
    const about = (connection: CallContext['connection']): CallContext => {
      const openOwn = once(() => open(connection));
      return {
        ...shared,
        connection,
        about,
        service: (which) => (which ? open(which) : openOwn()),
      };
    };
    return about(undefined);
  };
}

/** For handlers that only admins may use: `refusal` says what they can't do. */
export function admins(refusal: string): Right {
  return ({ person }) => (isAdmin(person) ? undefined : refusal);
}

/** Whether to show the caller a button for the action. If their roles aren't known, the click decides. */
export async function offersTo(
  { person, settings }: Pick<Interaction, 'person' | 'settings'>,
  action: string,
): Promise<boolean> {
  return !person.standing || offersAction(person, await settings(), action);
}

/** @throws Refusal with `gone` if it has ended, or unless the caller may change and end it */
export async function requireMayChange<Item extends { createdBy: string }>(
  item: Item | undefined,
  { person, settings }: Pick<Interaction, 'person' | 'settings'>,
  { kind, gone }: { kind: SubscribedKind; gone: Message },
): Promise<Item> {
  if (!item) throw new Refusal(gone);
  if (mayChange(item, person, await settings())) return item;
  throw new MissingRight(notice(`${whoMayChange(kind)} Nothing was changed.`));
}

type SubscribedKind = 'watch' | 'digest' | 'restore drill' | 'saved filter';

export function whoMayChange(kind: SubscribedKind): string {
  const end = kind === 'saved filter' ? 'delete' : 'end';
  return `Only the creator of a ${kind}, approvers and admins can change or ${end} it.`;
}
