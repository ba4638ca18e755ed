import { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { readEnvironments } from '../../dataprotection/resources/environments.ts';
import type { ActionDefinition, ActionTarget } from '../../requests/action.ts';
import { type ActionEntries, defineAction } from '../../requests/define-action.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { snapshotTarget } from '../restores/index.ts';
import { drillPlan } from './drill.ts';
import type { DrillStore } from './store/drill-store.ts';
import { fullText } from './views/drill-messages.ts';
import {
  formatDrillConsequences,
  formatDrillSchedule,
  formatSource,
} from './views/format-drill.ts';
import { addDrillActionId, newDrillActionId } from './views/ids.ts';

declare module '../../requests/action.ts' {
  interface Openers {
    /** Where an approved drill is added; undefined where no drill can be requested. */
    drills?: Pick<DrillStore, 'add' | 'isAdded'>;
  }
}

const payload = z.object({
  drillId: z.uuid(),
  /** Where the results are posted. */
  channelId: z.string(),
  plan: drillPlan,
});
type Payload = z.infer<typeof payload>;

/** The decision rests on the target; null once it is gone. */
const snapshot = z.object({
  target: z
    .object({
      account: z.string(),
      region: z.string(),
      isAvailable: z.boolean(),
      hasZone: z.boolean(),
    })
    .nullable(),
});
type Snapshot = z.infer<typeof snapshot>;

/** Also reads whether the drill was added, and adds it. */
type DrillClient = {
  service: ServiceClient;
  isAdded: () => Promise<boolean>;
  add: (payload: Payload) => Promise<{ result: 'created' | 'exists' | 'too-many' }>;
};
type Subject = Snapshot & { isAdded: boolean };
type Target = ActionTarget & { client: DrillClient };

const readMs = 15_000;

const add: ActionDefinition<Payload, Snapshot, Subject, Target> = {
  name: addDrillActionId,
  payload,
  personalFields: { removed: [], replaced: [] },
  snapshot,
  describe(stored) {
    const { drillId, plan } = stored;
    const lines = formatDrillConsequences(plan);
    const what = `${formatSource(plan)}, ${formatDrillSchedule(plan.schedule)}`;
    return {
      subjectId: drillId,
      summary: `add a restore drill: ${what}`,
      audited: { subject: stripMarkup(what), changes: stripMarkup(lines.join('\n')) },
      changes: () => [lines.join('\n')],
      requiredApprovals: ({ restoreApprovals }) => (plan.mayLeave ? restoreApprovals : 1),
      consequence: () => 'Belay makes new volumes on this schedule, without asking again.',
      style: 'primary',
      steps: [
        {
          name: 'add',
          done: 'The restore drill was added.',
          isDone: async (read) => (await read())?.isAdded === true,
          async run(client) {
            const { result } = await client.add(stored);
            return result === 'too-many' ? { state: 'failed', words: fullText } : { state: 'done' };
          },
        },
      ],
      isShownExactly: ({ target }) =>
        target?.account === plan.target.account && target.region === plan.target.region,
      requestAgain: { text: 'New drill…', actionId: newDrillActionId, value: encodeValue({}) },
      async open({ openService, drills, clock }, { teamId, connectionId, requester: createdBy }) {
        const service = await openService(teamId, { connectionId });
        if (!service || !drills) return undefined;
        const { originId } = service;
        const client: DrillClient = {
          service: service.client,
          isAdded: () => drills.isAdded({ teamId, id: drillId }),
          add: ({ channelId }) =>
            drills.add({ id: drillId, teamId, originId, channelId, createdBy, plan, at: clock() }),
        };
        return { ...service, client };
      },
      async readSubject(client) {
        const [target, isAdded] = await Promise.all([
          readTarget(client.service, plan.target),
          client.isAdded(),
        ]);
        return { target, isAdded };
      },
      snapshotOf: ({ target }) => ({ target }),
      differences: (_, { target }) => [
        target ? 'The target environment changed.' : 'The target environment no longer exists.',
      ],
    };
  },
};

/** @throws {ServiceError} */
async function readTarget(
  client: ServiceClient,
  { environmentId, awsAz }: Payload['plan']['target'],
): Promise<Snapshot['target']> {
  const environments = await readEnvironments(client, { signal: AbortSignal.timeout(readMs) });
  const environment = environments.find(({ id }) => id === environmentId);
  return environment ? snapshotTarget(environment, awsAz) : null;
}

/** Restores again and again, after one approval. */
export const drillActions = {
  [addDrillActionId]: defineAction(add),
} satisfies Partial<ActionEntries>;
