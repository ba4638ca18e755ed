import PQueue from 'p-queue';
import { actAs } from '../../playground/act-as.ts';
import type { Snapshot } from '../../playground/slack/protocol.ts';
import type { Workspace } from '../../playground/slack/workspace.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { ManyWorkspaces } from './open-workspaces.ts';

const atOnce = 8;
const answerMs = 30_000;

/** The operator of each workspace reads the alerts; resolves when all have their answers. */
export async function sendCommands({ slack, workspaces }: ManyWorkspaces): Promise<number> {
  await inTurns(workspaces, async (workspace) => {
    const { operator } = peopleOf({ slack }, workspace);
    const before = countMessages(operator.snapshot());
    await operator.send('ops', '/belay alerts');
    await operator.see((now) => (countMessages(now) > before ? now : undefined), 'an answer');
  });
  return workspaces.length;
}

/** In each of `count` workspaces the operator requests to disable a user, and the approver approves. */
export async function decideRequests(many: ManyWorkspaces, count: number): Promise<number> {
  const { slack, service, portal, workspaces, db } = many;
  const emails = service
    .users(portal.id)
    .filter(({ is_enabled }) => is_enabled)
    .slice(-count)
    .map(({ email }) => email);
  const acting = workspaces.slice(0, count).map((workspace, index) => {
    return { workspace, email: emails[index] ?? '' };
  });
  await inTurns(acting, async ({ workspace, email }) => {
    const { operator, approver } = peopleOf({ slack }, workspace);
    await operator.send('ops', `/belay disable ${email}`);
    const form = await operator.see(({ views }) => views.find(({ submit }) => submit), 'a form');
    await operator.submit(form, { reason: { input: 'Left the company on Friday' } });
    await approver.press(await approver.seeMessage('Left the company on Friday'), 'Approve');
  });
  const isDone = await waitFor(
    async () => {
      const ended = await db
        .selectFrom('approval')
        .select('id')
        .where('state', '=', 'completed')
        .execute();
      return ended.length === count;
    },
    { forMs: answerMs },
  );
  if (!isDone) throw new Error('not all requests were completed');
  return count;
}

function countMessages({ conversations }: Snapshot): number {
  return conversations.reduce((sum, { messages }) => sum + messages.length, 0);
}

function peopleOf({ slack }: Pick<ManyWorkspaces, 'slack'>, { teamId, people }: Workspace) {
  const [operator, approver] = people;
  const local = slack.workspace(teamId);
  return {
    operator: actAs(local, operator?.slackUserId ?? ''),
    approver: actAs(local, approver?.slackUserId ?? ''),
  };
}

const inTurns = <T>(items: readonly T[], act: (item: T) => Promise<void>) =>
  new PQueue({ concurrency: atOnce }).addAll(items.map((item) => () => act(item)));
