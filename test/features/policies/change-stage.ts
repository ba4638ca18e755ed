import { randomUUID } from 'node:crypto';
import { WebClient } from '@slack/web-api';
import { afterEach } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { systemClock } from '../../../src/clock.ts';
import { readConfig } from '../../../src/config.ts';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import { createDiscoveryCache } from '../../../src/dataprotection/dialects/discovery-cache.ts';
import { createDispatcher } from '../../../src/dataprotection/http/dispatcher.ts';
import { createLimiters } from '../../../src/dataprotection/http/limiter.ts';
import {
  listPolicies,
  type Policy,
  type PolicyDefinition,
} from '../../../src/dataprotection/resources/policies.ts';
import { createApprovals } from '../../../src/features/approvals/index.ts';
import { describeCause, describeFailure } from '../../../src/features/describe-failure.ts';
import { policyActions } from '../../../src/features/policies/index.ts';
import {
  type PolicyChangeInput,
  submitPolicyChange,
} from '../../../src/features/policies/submit-change.ts';
import { setupActions } from '../../../src/features/setup/index.ts';
import { userActions } from '../../../src/features/users/index.ts';
import { createOpenService, createOpenSettings } from '../../../src/features/workspaces/index.ts';
import { createLogger } from '../../../src/logger.ts';
import { openStores } from '../../../src/open-stores.ts';
import { createAdminDirectory } from '../../../src/slack/api/list-admins.ts';
import { readPerson } from '../../../src/slack/api/person.ts';
import { messagesOf, seeAgain } from '../../support/ask.ts';
import { shareWorldWithDatabase } from '../approvals/world-with-database.ts';

type StageOptions = {
  dialect: Dialect;
  listsPolicies?: boolean;
  timings?: Record<string, number>;
};

/**
 * A world whose people change policies: what an editor would submit goes through the use case, and
 * everything after it through the running bot.
 */
export function stageChanges({ dialect, listsPolicies = true, timings = {} }: StageOptions) {
  let ahead = 0;
  const clock = () => new Date(systemClock().getTime() + ahead);
  const shared = shareWorldWithDatabase({
    ...{ dialect, clock },
    service: { listsPolicies, taskTimings: { delayMs: 0 } },
    timings: {
      ...{ leaseMs: 86_400_000, settleMs: 0, checkMs: 10, busyMs: 10 },
      ...{ followEveryMs: 5, followMs: 200, ...timings },
    },
  });
  const { world, db } = shared;
  afterEach(() => {
    ahead = 0;
  });

  async function open() {
    const { env, slack } = world();
    const { encryptionKeys, regions } = readConfig(env);
    const log = createLogger('silent', { write: () => undefined });
    const stores = openStores(db(), { encryptionKeys, enqueueJobs: async () => undefined });
    const transport = {
      ...{ dispatcher: createDispatcher(), discoveryCache: createDiscoveryCache() },
      limiters: createLimiters(),
    };
    const openService = createOpenService({ store: stores.workspaceStore, regions, transport });
    const { readSettings } = stores.workspaceStore;
    const client = new WebClient(env.SLACK_BOT_TOKEN, { slackApiUrl: slack.apiUrl });
    const { team_id: teamId = '' } = await client.auth.test();
    const approvals = createApprovals({
      store: stores.approvalStore,
      actions: { ...userActions, ...setupActions, ...policyActions },
      openSettings: createOpenSettings({ store: stores.workspaceStore, clock }),
      adminDirectory: createAdminDirectory({ clock }),
      ...{ openService, readSettings, describeFailure, describeCause, slack: client },
      ...{ clock, newId: () => randomUUID(), log },
    });
    return { openService, readSettings, approvals, client, teamId };
  }

  async function serviceClient(): Promise<ServiceClient> {
    const { openService, teamId } = await open();
    const service = await openService(teamId);
    if (!service) throw new Error('the world is not connected');
    return service.client;
  }

  async function readAll(): Promise<Policy[]> {
    const policies: Policy[] = [];
    for await (const { items } of listPolicies(await serviceClient())) policies.push(...items);
    return policies;
  }

  return {
    ...shared,
    readAll,
    serviceClient,
    readNamed: async (name: string): Promise<Policy> => {
      const policy = (await readAll()).find((one) => one.name === name);
      if (!policy) throw new Error(`no policy ${name}`);
      return policy;
    },

    /** Submits a change as this person; resolves to the reply. */
    async submit(person: Actor, change: PolicyChangeInput['change']): Promise<string> {
      const { client, teamId, ...dependencies } = await open();
      const channel = person.snapshot().conversations.find(({ name }) => name === 'ops');
      const { text } = await submitPolicyChange(
        {
          ...{ teamId, enterpriseId: undefined, slack: client, change },
          person: await readPerson(client, teamId, person.slackUserId),
          ...{ channelId: channel?.channelId, viewId: randomUUID(), reason: 'Agreed on Monday' },
        },
        dependencies,
      );
      return text;
    },

    /** The newest request that everybody sees. */
    newest(person: Actor): Promise<Message> {
      return person.see(
        () => messagesOf(person).findLast(({ text }) => text.includes('requests approval to')),
        'a request',
      );
    },

    /** Advances the clock and sweeps until the request says this. */
    async sweepUntil(person: Actor, request: Message, text: string | RegExp, stepMs = 1000) {
      for (let tries = 0; tries < 400; tries += 1) {
        const now = messagesOf(person).find(({ messageTs }) => messageTs === request.messageTs);
        const shown = JSON.stringify([now?.text, now?.blocks]);
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) break;
        ahead += stepMs;
        await world().belay.sweep();
      }
      return seeAgain(person, request, text);
    },
  };
}

/** The policy with another retention in its first SLA. */
export function withRetention(policy: Policy, value: number, units = 'day'): PolicyDefinition {
  const { id: _, ...definition } = structuredClone(policy);
  const duration = definition.slaSets[0]?.slas[0]?.retentionDuration;
  if (!duration) throw new Error('the policy has no retention');
  Object.assign(duration, { value, units });
  return definition;
}
