import { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { readEnvironments } from '../../dataprotection/resources/environments.ts';
import type { ActionDefinition, ActionTarget } from '../../requests/action.ts';
import { type ActionEntries, defineAction } from '../../requests/define-action.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { restoreSnapshot, snapshotTarget } from '../restores/index.ts';
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
    drills?: Pick<DrillStore, 'add'>;
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
const snapshot = restoreSnapshot.pick({ target: true });
type Snapshot = z.infer<typeof snapshot>;

type DrillClient = { service: ServiceClient; add: () => ReturnType<DrillStore['add']> };
type Target = ActionTarget & { client: DrillClient };

const readMs = 15_000;

const add: ActionDefinition<Payload, Snapshot, Snapshot, Target> = {
  name: addDrillActionId,
  payload,
  personalFields: { removed: [], replaced: [] },
  snapshot,
  describe({ drillId: id, channelId, plan }) {
    const lines = formatDrillConsequences(plan);
    const what = `${formatSource(plan)}, ${formatDrillSchedule(plan.schedule)}`;
    return {
      subjectId: id,
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
          // Adding it again changes nothing.
          isDone: async () => false,
          async run(client) {
            const { result } = await client.add();
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
        const drill = { id, teamId, originId: service.originId, channelId, createdBy, plan };
        const client = {
          service: service.client,
          add: () => drills.add({ ...drill, at: clock() }),
        };
        return { ...service, client };
      },
      async readSubject({ service }) {
        const { environmentId, awsAz } = plan.target;
        const signal = AbortSignal.timeout(readMs);
        const environments = await readEnvironments(service, { signal });
        const environment = environments.find((one) => one.id === environmentId);
        return { target: environment ? snapshotTarget(environment, awsAz) : null };
      },
      snapshotOf: (subject) => subject,
      differences: (_, { target }) => [
        target ? 'The target environment changed.' : 'The target environment no longer exists.',
      ],
    };
  },
};

/** Restores again and again, after one approval. */
export const drillActions = {
  [addDrillActionId]: defineAction(add),
} satisfies Partial<ActionEntries>;
