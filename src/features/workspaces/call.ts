import { once } from '../../once.ts';
import type { OpenContext } from '../../slack/interactions/authorize-caller.ts';
import { type Interaction, Refusal, type Right } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { notConnected, type OpenService, type Service } from './open-service.ts';
import { isAdmin, mayChange } from './permissions.ts';
import type { ConnectionRef, WorkspaceSettings } from './workspace.ts';

declare module '../../slack/interactions/interaction.ts' {
  interface CallContext {
    /**
     * The service of the call's connection, or else of the default one, read once; or of another one.
     * @throws Refusal if there is none, and what `OpenService` throws
     */
    service: (which?: ConnectionRef) => Promise<Service>;
    settings: () => Promise<WorkspaceSettings>;
  }
}

export function createOpenContext({
  openService,
  readSettings,
}: {
  openService: OpenService;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
}): OpenContext {
  return ({ teamId, connection }, before) => {
    const open = async (which: ConnectionRef | undefined) => {
      const service = await openService(teamId, which);
      if (!service) throw new Refusal(notConnected);
      return service;
    };
    const openOwn = once(() => open(connection));
    return {
      connection,
      service: (which) => (which ? open(which) : openOwn()),
      settings: before?.settings ?? once(() => readSettings(teamId)),
    };
  };
}

/** For handlers that only admins may use: `refusal` says what they can't do. */
export function admins(refusal: string): Right {
  return ({ person }) => (isAdmin(person) ? undefined : refusal);
}

/** @throws Refusal with `gone` if it has ended, or unless the caller may change and end it */
export async function requireMayChange<Item extends { createdBy: string }>(
  item: Item | undefined,
  { person, settings }: Pick<Interaction, 'person' | 'settings'>,
  { kind, gone }: { kind: 'watch' | 'digest'; gone: Message },
): Promise<Item> {
  if (!item) throw new Refusal(gone);
  if (mayChange(item, person, await settings())) return item;
  throw new Refusal(notice(`${whoMayChange(kind)} Nothing was changed.`));
}

export function whoMayChange(kind: 'watch' | 'digest'): string {
  return `Only the creator of a ${kind}, approvers and admins can change or end it.`;
}
