import { ServiceError } from '../../dataprotection/http/errors.ts';
import {
  type CommandInteraction,
  type Interaction,
  Refusal,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { maxIdLength } from '../../slack/ui/codec.ts';
import { bold, code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { unquote } from '../../slack/ui/typed-filter.ts';
import type { AuditRecord } from '../audit/index.ts';
import { listAllPolicies } from '../compliance/index.ts';
import { registerRevert } from './changes/revert-change.ts';
import { openEditor } from './editor/open-editor.ts';
import { registerPolicyEditor } from './editor/register-editor.ts';
import type { PolicyContext } from './policy-context.ts';
import { readMs, showPolicies } from './show-policies.ts';
import { readDefinition, showPolicy, showPolicyById } from './show-policy.ts';
import { maxPolicies } from './store/policy-catalog.ts';
import { historyMessage } from './views/history-message.ts';
import {
  historyActionId,
  maxSearchLength,
  policyPager,
  policyValue,
  showActionId,
} from './views/ids.ts';

/** `/belay policies` and `/belay policy`, for any full member, and the forms that change policies. */
export function registerPolicies(listeners: Listeners, context: PolicyContext): Subcommand[] {
  registerPolicyEditor(listeners, context);
  registerRevert(listeners, context.approvals);
  const { policyCatalog } = context;

  listeners.action(
    showActionId,
    policyValue,
    async ({ value, ...call }) => ({
      reply: await showPolicyById(call, value.policyId, policyCatalog),
    }),
    { isAnnounced: true },
  );

  listeners.action(historyActionId, policyValue, async ({ value, ...call }) => ({
    reply: await showHistory(call, value.policyId, context),
  }));

  listeners.pages(policyPager, ({ value, ...call }) => showPolicies(call, value, policyCatalog));

  return [
    {
      name: 'policies',
      usage: 'policies [text]',
      summary: 'List backup policies: what they back up, how often, how long they keep backups',
      details: [
        '`/belay policies create` · create a policy, after approval',
        "`/belay policies add <ID> [name]` · add one to Belay's list, where the service lists none",
        '`/belay policies changes` · changes of the last 30 days, through Belay and outside',
        '`/belay watch policies` · post changes that were made outside Belay',
      ],
      run: (call) => runPolicies(call, context),
    },
    {
      name: 'policy',
      usage: 'policy <name or ID>',
      summary: 'Show one backup policy, with its history',
      details: [
        '*Edit* and *Revert* request approval; a change that weakens protection may need two',
      ],
      async run(call) {
        const nameOrId = unescapeMrkdwn(call.text).trim();
        if (nameOrId === '') return notice('Which policy? Example: `/belay policy gold`');
        const [, named] = /^(.+)\s+history$/i.exec(nameOrId) ?? [];
        if (named === undefined) return showPolicy(call, unquote(nameOrId), policyCatalog);
        return showPolicy(call, unquote(named), policyCatalog, (policyId) =>
          showHistory(call, policyId, context),
        );
      },
    },
  ];
}

async function runPolicies(
  call: CommandInteraction,
  context: PolicyContext,
): Promise<Message | undefined> {
  const { teamId, connection } = call;
  const typed = unescapeMrkdwn(call.text).trim();
  const [verb = '', ...rest] = typed.split(/\s+/);
  if (typed.toLowerCase() === 'create') {
    await openEditor(call, undefined, context);
    return undefined;
  }
  if (typed.toLowerCase() === 'changes') {
    return context.showChanges({ teamId, originId: connection?.originId }, call.slack);
  }
  const text = rest.join(' ');
  if (verb.toLowerCase() === 'add') return addToCatalog(call, text, context);
  if (verb.toLowerCase() === 'remove') return removeFromCatalog(call, text, context);
  if (typed.length > maxSearchLength) return notice(`At most ${maxSearchLength} characters.`);
  return showPolicies(call, { search: unquote(typed), start: 0 }, context.policyCatalog);
}

const maxNameLength = 200;

/** `/belay policies add <id> [name]`, where the service lists no policies. @throws ServiceError */
async function addToCatalog(
  { teamId, person, service }: Interaction,
  text: string,
  { policyCatalog, clock }: PolicyContext,
): Promise<Message> {
  const [id = '', ...words] = text.split(/\s+/);
  const name = words.join(' ');
  if (id.length > maxIdLength || name.length > maxNameLength) {
    return notice(
      `At most ${maxIdLength} characters for the ID and ${maxNameLength} for the name. Nothing was added.`,
    );
  }
  const { client, connectionId } = await service();
  if (await listAllPolicies(client, AbortSignal.timeout(readMs))) {
    return notice(
      "This service lists its policies, so you don't need to add any. To see the policies, run `/belay policies`.",
    );
  }
  const hasRoom = await policyCatalog.remember({
    teamId,
    connectionId,
    policies: [{ id, name: name || undefined }],
    source: 'person',
    addedBy: person.slackUserId,
    at: clock(),
  });
  if (!hasRoom) return notice(fullText);
  return notice(
    `Added policy ${name ? `${bold(name)} (ID ${code(id)})` : code(id)} to the list of this connection. Nothing was changed in the service. To remove the policy from the list, run ${code(`/belay policies remove ${id}`, 350)}.`,
  );
}

const fullText = `Nothing was added: the list of this connection is full. A list can have at most ${maxPolicies.toLocaleString('en-US')} policies. To remove one, run \`/belay policies remove [policy ID]\`.`;

/** `/belay policies remove <id>` */
async function removeFromCatalog(
  { teamId, service }: Interaction,
  text: string,
  { policyCatalog, clock }: PolicyContext,
): Promise<Message> {
  const policyId = text.trim();
  if (policyId === '') return notice('Which policy? Example: `/belay policies remove 8f14e45f`');
  const { connectionId } = await service();
  const isRemoved = await policyCatalog.remove({ teamId, connectionId, policyId, at: clock() });
  return notice(
    isRemoved
      ? `Removed policy ${code(policyId, 300)} from the list of this connection. Nothing was changed in the service.`
      : `No policy with the ID ${code(policyId, 300)} is in the list of this connection. Nothing was changed. To see the list, run \`/belay policies\`.`,
  );
}

const maxShown = 10;
/** How long a person waits for the name of a policy that no entry names. */
const nameMs = 3000;

/** The newest changes to a policy: entries of the audit log, and changes made outside Belay. */
export async function showHistory(
  call: Pick<Interaction, 'teamId' | 'connection' | 'service'>,
  policyId: string,
  { auditStore, listExternalChanges }: Pick<PolicyContext, 'auditStore' | 'listExternalChanges'>,
): Promise<Message> {
  const { teamId } = call;
  const connection = { teamId, originId: call.connection?.originId };
  const limit = maxShown + 1;
  const [records, external] = await Promise.all([
    auditStore.list({ teamId, subjectId: policyId, connection, limit }),
    listExternalChanges({ ...connection, policyId, limit }),
  ]);
  const entries = [...records, ...external].toSorted((one, other) => +other.at - +one.at);
  const name =
    nameIn(records) ?? external.at(0)?.name ?? (await readName(call, policyId)) ?? policyId;
  const policy = { id: policyId, name };
  return historyMessage(policy, {
    entries: entries.slice(0, maxShown),
    hasMore: entries.length > maxShown,
  });
}

function nameIn(records: AuditRecord[]): string | undefined {
  const texts = records.map(({ personal, requestPersonal }) => ({
    ...requestPersonal,
    ...personal,
  }));
  return texts.find(({ subject }) => subject !== undefined)?.subject;
}

/** If the name can't be read, the history is shown without it. */
async function readName({ service }: Pick<Interaction, 'service'>, policyId: string) {
  try {
    const { client } = await service();
    const signal = AbortSignal.timeout(nameMs);
    return (await readDefinition({ client, signal }, policyId))?.name;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof Refusal) return undefined;
    throw error;
  }
}
