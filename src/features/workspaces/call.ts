import type { OpenContext } from '../../slack/interactions/authorize-caller.ts';
import { type Interaction, Refusal, type Right } from '../../slack/interactions/interaction.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { notConnected, type OpenService, type Service } from './open-service.ts';
import { isAdmin, mayChange } from './permissions.ts';
import type { ConnectionRef, WorkspaceSettings } from './workspace.ts';

declare module '../../slack/interactions/interaction.ts' {
  interface CallContext {
    /**
     * The service of the call's connection, or else of the default one, unless `which` names another.
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
  return ({ teamId, connection }, before) => ({
    service: once(async (which?: ConnectionRef) => {
      const service = await openService(teamId, which ?? connection);
      if (!service) throw new Refusal(notConnected);
      return service;
    }),
    settings: before?.settings ?? once(() => readSettings(teamId)),
  });
}

/** The same function, which keeps what it has returned for an argument. */
function once<Input, Value>(
  read: (input?: Input) => Promise<Value>,
): (input?: Input) => Promise<Value> {
  const readings = new Map<string, Promise<Value>>();
  return (input) => {
    const key = JSON.stringify(input) ?? '';
    const reading = readings.get(key) ?? read(input);
    readings.set(key, reading);
    return reading;
  };
}

/** For handlers that only admins may use: `refusal` says what they can't do. */
export function admins(refusal: string): Right {
  return ({ person }) => (isAdmin(person) ? undefined : refusal);
}

/** @throws Refusal unless the caller may change and end this watch or digest */
export async function requireMayChange(
  created: { createdBy: string },
  { person, settings }: Pick<Interaction, 'person' | 'settings'>,
  kind: 'watch' | 'digest',
): Promise<void> {
  if (mayChange(created, person, await settings())) return;
  throw new Refusal(notice(`${whoMayChange(kind)} Nothing was changed.`));
}

export function whoMayChange(kind: 'watch' | 'digest'): string {
  return `Only the creator of a ${kind}, approvers and admins can change or end it.`;
}
