import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import type { OriginRef } from '../workspaces/index.ts';
import { addToCatalog, type CatalogDependencies, removeFromCatalog } from './change-catalog.ts';
import { type OpenDependencies, openEditor } from './editor/open-editor.ts';
import { type HistoryDependencies, showHistory } from './show-history.ts';
import { type ShowDependencies, showPolicies } from './show-policies.ts';
import { showPolicy, showPolicyById } from './show-policy.ts';
import {
  historyActionId,
  maxSearchLength,
  policyPager,
  policyValue,
  showActionId,
} from './views/ids.ts';

export type PoliciesDependencies = ShowDependencies &
  CatalogDependencies &
  OpenDependencies &
  HistoryDependencies & {
    /** The first page of all recent changes: provided by another feature. */
    showChanges: (of: OriginRef) => Promise<Message>;
  };

/** `/belay policies` and `/belay policy`: the policies of the service, for any full member. */
export function registerPolicies(
  listeners: Listeners,
  dependencies: PoliciesDependencies,
): Subcommand[] {
  const announced = { isAnnounced: true };

  listeners.action(
    showActionId,
    policyValue,
    async ({ value, ...call }) => ({
      reply: await showPolicyById(call, value.policyId, dependencies),
    }),
    announced,
  );

  listeners.action(historyActionId, policyValue, async ({ value, ...call }) => ({
    reply: await showHistory(call, value.policyId, dependencies),
  }));

  listeners.pages(policyPager, ({ value, ...call }) => showPolicies(call, value, dependencies));

  return [
    {
      name: 'policies',
      usage: 'policies [text]',
      summary: 'List backup policies: what they back up, how often, how long they keep backups',
      details: [
        '`/belay policies create` · create a policy, after approval',
        '`/belay policies changes` · changes of the last 30 days, through Belay and outside',
        '`/belay watch policies` · post changes that were made outside Belay',
      ],
      run: (call) => runPolicies(call, dependencies),
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
        return showPolicy(call, nameOrId, dependencies);
      },
    },
  ];
}

async function runPolicies(
  call: CommandInteraction,
  dependencies: PoliciesDependencies,
): Promise<Message | undefined> {
  const { teamId, connection, person, text } = call;
  const typed = unescapeMrkdwn(text).trim();
  const [verb = '', ...rest] = typed.split(/\s+/);
  if (typed.toLowerCase() === 'create') {
    await openEditor({ call, policyId: undefined }, dependencies);
    return undefined;
  }
  if (typed.toLowerCase() === 'changes') {
    return dependencies.showChanges({ teamId, originId: connection?.originId });
  }
  const input = { teamId, connection, slackUserId: person.slackUserId, text: rest.join(' ') };
  if (verb.toLowerCase() === 'add') return addToCatalog(input, dependencies);
  if (verb.toLowerCase() === 'remove') return removeFromCatalog(input, dependencies);
  if (typed.length > maxSearchLength) return notice(`At most ${maxSearchLength} characters.`);
  return showPolicies(call, { search: typed, start: 0 }, dependencies);
}
