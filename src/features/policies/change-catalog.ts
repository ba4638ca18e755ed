import type { Clock } from '../../clock.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { maxIdLength } from '../../slack/ui/codec.ts';
import { bold, code } from '../../slack/ui/mrkdwn.ts';
import { listAllPolicies } from '../compliance/index.ts';
import { notConnected, type OpenService, type ServiceRef } from '../workspaces/index.ts';
import { readMs } from './show-policies.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';

export type CatalogDependencies = {
  openService: OpenService;
  policyCatalog: PolicyCatalog;
  clock: Clock;
};

type Typed = ServiceRef & { slackUserId: string; text: string };

const maxNameLength = 200;

/** `/belay policies add <id> [name]`, where the service lists no policies. @throws ServiceError */
export async function addToCatalog(
  { teamId, connection, slackUserId, text }: Typed,
  { openService, policyCatalog, clock }: CatalogDependencies,
): Promise<Message> {
  const [id = '', ...words] = text.split(/\s+/);
  const name = words.join(' ');
  if (id === '') return notice(addExample);
  if (id.length > maxIdLength || name.length > maxNameLength) {
    return notice(
      `At most ${maxIdLength} characters for the ID and ${maxNameLength} for the name. Nothing was added.`,
    );
  }
  const service = await openService(teamId, connection);
  if (!service) return notConnected;
  const { client, connectionId } = service;
  if (await listAllPolicies(client, AbortSignal.timeout(readMs))) {
    return notice(
      "This service lists its policies, so you don't need to add any. To see the policies, run `/belay policies`.",
    );
  }
  const known = { id, name: name || undefined };
  await policyCatalog.remember({
    teamId,
    connectionId,
    policies: [known],
    source: 'person',
    addedBy: slackUserId,
    at: clock(),
  });
  return notice(
    `Added policy ${name ? `${bold(name)} (ID ${code(id)})` : code(id)} to the list of this connection. Nothing was changed in the service. To remove the policy from the list, run ${code(`/belay policies remove ${id}`, 350)}.`,
  );
}

/** `/belay policies remove <id>` */
export async function removeFromCatalog(
  { teamId, connection, text }: Typed,
  { openService, policyCatalog, clock }: CatalogDependencies,
): Promise<Message> {
  const policyId = text.trim();
  if (policyId === '') return notice('Which policy? Example: `/belay policies remove 8f14e45f`');
  const service = await openService(teamId, connection);
  if (!service) return notConnected;
  const { connectionId } = service;
  const isRemoved = await policyCatalog.remove({ teamId, connectionId, policyId, at: clock() });
  return notice(
    isRemoved
      ? `Removed policy ${code(policyId, 300)} from the list of this connection. Nothing was changed in the service.`
      : `No policy with the ID ${code(policyId, 300)} is in the list of this connection. Nothing was changed. To see the list, run \`/belay policies\`.`,
  );
}

const addExample = 'Which policy? Example: `/belay policies add 8f14e45f Gold`';
