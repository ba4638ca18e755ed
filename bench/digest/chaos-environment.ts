import { randomUUID } from 'node:crypto';
import { addYears } from 'date-fns/addYears';
import pg from 'pg';
import { people } from '../../playground/people.ts';
import { startReferenceService } from '../../playground/service/start-service.ts';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { insertWorkspaces } from './insert-workspaces.ts';
import type { WorkerInput } from './worker-input.ts';

/** A Slack, a service and a database with `count` digests, none of them due yet. */
export async function openChaosEnvironment(
  serverUrl: string,
  { count, dueAt }: { count: number; dueAt: Date },
) {
  const name = `belay_chaos_${randomUUID().replaceAll('-', '')}`;
  await runOn(serverUrl, `create database ${name}`);
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const { db, close } = await openDatabase(databaseUrl);
  const { connections, channels } = await insertWorkspaces(db, { count, dueAt });
  // Not due until `makeDue`.
  await db
    .updateTable('digest')
    .set({ next_run_at: addYears(dueAt, 10) })
    .execute();

  const service = await startReferenceService({ now: dueAt, pageSize: 100 });
  const workspace = { ...createWorkspace(), channels };
  const slack = await startLocalSlack({ workspace });
  const [portal] = service.portals;
  const [connectionId] = connections.values();
  if (!portal || !connectionId) throw new Error('no portal or no connection');
  const workerInput: WorkerInput = {
    ...{ databaseUrl, slackApiUrl: slack.apiUrl, botToken: workspace.app.botToken, connectionId },
    service: { baseUrl: portal.baseUrl, token: portal.token },
  };
  const channelOf = (index: number) => channels[index]?.channelId ?? '';
  const copiesIn = (channelId: string) =>
    slack
      .snapshot(people.ana)
      .conversations.filter((one) => one.channelId === channelId)
      .flatMap(({ messages }) => messages).length;

  return {
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
      await runOn(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
