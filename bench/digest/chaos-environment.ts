import { randomBytes } from 'node:crypto';
import { addYears } from 'date-fns/addYears';
import { people } from '../../playground/people.ts';
import { startReferenceService } from '../../playground/service/start-service.ts';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { credentialVariables } from '../replicas/install-belay.ts';
import { createInstaller } from '../replicas/install-directly.ts';
import { digestPlaces, insertWorkspaces } from './insert-workspaces.ts';
import type { WorkerInput } from './worker-input.ts';

/** A Slack, a service and a database with `count` digests, none of them due yet. */
export async function openChaosEnvironment(
  serverUrl: string,
  { count, dueAt, oauth }: { count: number; dueAt: Date; oauth: boolean },
) {
  const { url: databaseUrl, drop } = await createDatabase(serverUrl);
  const { db, close } = await openDatabase(databaseUrl);
  const workspace = createWorkspace();
  const { teamId, app } = workspace;
  const { connections, channels } = await insertWorkspaces(db, {
    places: digestPlaces(count, teamId),
    dueAt,
  });
  workspace.channels = channels;
  // Not due until `makeDue`.
  await db
    .updateTable('digest')
    .set({ next_run_at: addYears(dueAt, 10) })
    .execute();

  const service = await startReferenceService({ now: dueAt, pageSize: 100 });
  const credentials = credentialVariables(workspace, oauth);
  const slack = await startLocalSlack({ workspace });
  const [portal] = service.portals;
  const [connectionId] = connections.values();
  if (!portal || !connectionId) throw new Error('no portal or no connection');
  const env = {
    ...credentials,
    SLACK_SIGNING_SECRET: app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: databaseUrl,
  };
  // The workers have the clock of the program, which begins then.
  if (oauth) await createInstaller({ slack, db, env, clock: () => dueAt }).install(workspace);
  const workerInput: WorkerInput = {
    env,
    connectionId,
    service: { baseUrl: portal.baseUrl, token: portal.token },
  };
  const channelOf = (index: number) => channels[index]?.channelId ?? '';
  const copiesIn = (channelId: string) =>
    slack
      .snapshot(people.ana)
      .conversations.filter((one) => one.channelId === channelId)
      .flatMap(({ messages }) => messages).length;

  return {
    slack,
    workerInput,
    async makeDue(index: number, at: Date) {
      await db
        .updateTable('digest')
        .set({ next_run_at: at })
        .where('channel_id', '=', channelOf(index))
        .execute();
    },
    /** Resolves as soon as the digest is posted. */
    nextPost: (index: number) =>
      new Promise<void>((resolve) => {
        const unsubscribe = slack.subscribe(() => {
          if (copiesIn(channelOf(index)) === 0) return;
          unsubscribe();
          resolve();
        });
      }),
    async isRecorded(index: number) {
      const row = await db
        .selectFrom('delivery_message')
        .select('state')
        .where('channel_id', '=', channelOf(index))
        .executeTakeFirst();
      return row?.state === 'sent';
    },
    countCopies: async () => channels.map(({ channelId }) => copiesIn(channelId)),
    async close() {
      await Promise.all([slack.close(), service.close(), close()]);
      await drop();
    },
  };
}
