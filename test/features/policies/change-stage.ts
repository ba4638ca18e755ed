import { afterEach } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { systemClock } from '../../../src/clock.ts';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import type { Policy, PolicyDefinition } from '../../../src/dataprotection/resources/policies.ts';
import type { Service } from '../../../src/workspace/open-service.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { messagesOf, seeAgain } from '../../support/ask.ts';
import { openPolicyRequests, type RequestedPolicyChange } from '../../support/policy-requests.ts';

type StageOptions = { dialect: Dialect; listsPolicies?: boolean };

/**
 * A world whose people change policies: what an editor would submit goes through the use case, and
 * everything after it through the running bot.
 */
export function stageChanges({ dialect, listsPolicies = true }: StageOptions) {
  let ahead = 0;
  const clock = () => new Date(systemClock().getTime() + ahead);
  const shared = shareWorldWithDatabase({
    dialect,
    clock,
    service: { listsPolicies, taskTimings: { delayMs: 0 } },
    timings: {
      leaseMs: 86_400_000,
      settleMs: 0,
      checkMs: 10,
      busyMs: 10,
      followEveryMs: 5,
      followMs: 200,
    },
  });
  const { world, db } = shared;
  afterEach(() => {
    ahead = 0;
  });

  async function use<T>(
    work: (requests: Awaited<ReturnType<typeof openPolicyRequests>>) => Promise<T>,
  ): Promise<T> {
    const { env, slack } = world();
    const requests = await openPolicyRequests({ env, slack, db: db(), clock });
    return work(requests).finally(requests.close);
  }

  return {
    ...shared,

    /** Calls `work` with the service that the workspace is connected to. */
    withService: <T>(work: (service: Service) => Promise<T>): Promise<T> =>
      use(async ({ openService }) => work(await openService())),

    async readNamed(name: string): Promise<Policy> {
      const policies = await use(({ readAll }) => readAll());
      const policy = policies.find((one) => one.name === name);
      if (!policy) throw new Error(`no policy ${name}`);
      return policy;
    },

    /** Submits a change as this person; resolves to the reply. */
    submit(person: Actor, change: RequestedPolicyChange): Promise<string> {
      const channel = person.snapshot().conversations.find(({ name }) => name === 'ops');
      return use(({ submit }) => submit(person.slackUserId, change, channel?.channelId));
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
      // Sweeping in a loop would leave a decision under way too little time for its calls to Slack.
      await seeAgain(person, request, /^(?!.*Waiting for approval\.)/s);
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
