import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { WorkspaceStore } from '../../workspaces/index.ts';
import type { Finding } from '../finding.ts';
import { checkService, type ServiceCheck } from './check-service.ts';

type ConnectionsCheck = Omit<ServiceCheck, 'command' | 'connection'> & {
  store: Pick<WorkspaceStore, 'listConnections' | 'openConnection'>;
};

/** Checks every connection of the workspace. If there are several, each finding names its own. */
export async function checkConnections(
  teamId: string,
  { store, ...check }: ConnectionsCheck,
  signal: AbortSignal,
): Promise<Finding[]> {
  const connections = await store.listConnections(teamId);
  const isOnly = connections.length < 2;
  const command = isOnly ? '/belay setup' : '/belay connection';
  if (connections.length === 0) {
    return checkService({ ...check, command, connection: undefined }, signal);
  }
  const found = await Promise.all(
    connections.map(async ({ originId, name }) => {
      const connection = await store.openConnection(teamId, { originId });
      const findings = await checkService({ ...check, command, connection }, signal);
      if (isOnly) return findings;
      return findings.map((one) => ({ ...one, text: `${bold(name)} · ${one.text}` }));
    }),
  );
  return found.flat();
}
