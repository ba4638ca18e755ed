import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Actor } from '../../playground/act-as.ts';
import {
  type ReferenceService,
  startReferenceService,
} from '../../playground/service/start-service.ts';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/local-slack.ts';
import type { Message, OpenView } from '../../playground/slack/protocol.ts';
import { createWorkspace, type Workspace } from '../../playground/slack/workspace.ts';
import type { Database } from '../../src/database/open-database.ts';
import { silent } from '../outbox/silent-logger.ts';

const folder = new URL('fixtures/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const lines = (name: string): unknown[] =>
  read(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const state = z.object({
  /** The moment at which the old version was stopped. */
  madeAt: z.coerce.date(),
  serviceStartedAt: z.coerce.date(),
  encryptionKeys: z.string(),
  region: z.string(),
  token: z.string(),
  /** E-mail address of each request's subject, by the state that the request was left in. */
  users: z.record(z.string(), z.string()),
  changedUsers: z.record(z.string(), z.object({ is_enabled: z.boolean() })),
  /** Jobs that waited. */
  jobs: z.array(z.object({ queue: z.string(), data: z.record(z.string(), z.string()) })),
});

const storedMessage = z.object({
  channelId: z.string(),
  messageTs: z.string(),
  threadTs: z.string().optional(),
  onlyFor: z.string().optional(),
  text: z.string(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
});

const modal = z.object({
  name: z.string(),
  slackUserId: z.string(),
  view: z.looseObject({ type: z.string() }),
});

/** What the bot of commit 487c56a left behind; see README.md beside the fixtures. */
export const left = {
  ...state.parse(JSON.parse(read('state.json'))),
  checkpointFile: new URL('checkpoints.jsonl', folder),
  messages: lines('messages.jsonl').map((line) => storedMessage.parse(line)),
  modals: lines('modals.jsonl').map((line) => modal.parse(line)),
};

/** A service with its initial data and the changes made through the old version. */
export async function startOldService(): Promise<ReferenceService> {
  const { serviceStartedAt: now, token, region } = left;
  const service = await startReferenceService({ dialect: 'live', users: 24, now, token });
  for (const [id, change] of Object.entries(left.changedUsers)) {
    service.changeUser(region, id, change);
  }
  const [sample] = service.alerts(region);
  if (!sample) throw new Error('the service has no alerts');
  for (const line of lines('alerts.jsonl')) {
    service.putAlert(region, { ...sample, ...z.looseObject({ id: z.string() }).parse(line) });
  }
  return service;
}

export type OldSlack = {
  slack: LocalSlack;
  workspace: Workspace;
  /** An old message as `person` sees it now. */
  message: (person: Actor, isIt: (message: Message) => boolean) => Message;
  /** A modal that was open in the old version, open now. */
  openModal: (person: Actor, name: string) => Promise<OpenView>;
  connect: (appUrl: string) => void;
  close: () => Promise<void>;
};

/**
 * A local Slack that shows the old messages. Slack numbers messages itself: `rename` puts the new
 * timestamps in the place of the old ones.
 */
export async function startOldSlack(): Promise<OldSlack & { rename: (text: string) => string }> {
  const workspace = createWorkspace();
  // These tests are not about time, and other test files run at the same time.
  const slack = await startLocalSlack({ workspace, ackTimeoutMs: 30_000 });
  const client = new WebClient(workspace.app.botToken, {
    slackApiUrl: slack.apiUrl,
    logger: silent,
  });
  const renamed = new Map<string, string>();
  for (const { channelId, messageTs, threadTs, onlyFor, text, blocks } of left.messages) {
    const thread = threadTs ? { thread_ts: renamed.get(threadTs) ?? '' } : {};
    const posted = await client.apiCall(onlyFor ? 'chat.postEphemeral' : 'chat.postMessage', {
      ...{ channel: channelId, text, blocks, ...thread, ...(onlyFor && { user: onlyFor }) },
    });
    const { ts, message_ts } = z
      .looseObject({ ts: z.string().optional(), message_ts: z.string().optional() })
      .parse(posted);
    renamed.set(messageTs, ts ?? message_ts ?? '');
  }
  const triggers = await listenForTriggers();
  let appUrl = '';
  return {
    slack,
    workspace,
    rename: (value) => value.replaceAll(/\b\d{10}\.\d{6}\b/g, (ts) => renamed.get(ts) ?? ts),
    message(person, isIt) {
      const found = person
        .snapshot()
        .conversations.flatMap(({ messages }) => messages)
        .find(isIt);
      if (!found) throw new Error(`${person.slackUserId} does not see that message`);
      return found;
    },
    async openModal(person, name) {
      const stored = left.modals.find((one) => one.name === name);
      if (!stored) throw new Error(`no modal ${name}`);
      slack.connectApp(triggers.url);
      await person.send('ops', '/belay');
      slack.connectApp(appUrl);
      await client.apiCall('views.open', { trigger_id: triggers.last(), view: stored.view });
      const view = person.snapshot().views.at(-1);
      if (!view) throw new Error(`${name} did not open`);
      return view;
    },
    connect(url) {
      appUrl = url;
      slack.connectApp(url);
    },
    async close() {
      await Promise.all([slack.close(), triggers.close()]);
    },
  };
}

/** An app that records trigger ids, with which a modal can be opened. */
async function listenForTriggers() {
  let last = '';
  const server = createServer(async (request, response) => {
    last = new URLSearchParams(await text(request)).get('trigger_id') ?? '';
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    last: () => last,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const row = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) });

/** Inserts the old rows into a database that is migrated up to 007. */
export async function insertOldRows(db: Database, rename: (text: string) => string): Promise<void> {
  const tables = new Map<string, Record<string, unknown>[]>();
  for (const line of read('database.jsonl').split('\n').filter(Boolean)) {
    const { table } = row.parse(JSON.parse(line));
    // Audit log entries contain no message timestamps, and must not change.
    const text = table.startsWith('decision_log') ? line : rename(line);
    tables.set(table, [...(tables.get(table) ?? []), row.parse(JSON.parse(text)).row]);
  }
  for (const [table, rows] of tables) {
    for (const values of rows) {
      const columns = Object.keys(values).map((name) => sql.ref(name));
      const cells = Object.values(values).map((value) =>
        typeof value === 'object' ? JSON.stringify(value) : value,
      );
      await sql`insert into ${sql.table(table)} (${sql.join(columns)}) overriding system value
          values (${sql.join(cells)})`.execute(db);
    }
  }
  for (const table of ['delivery_message', 'delivery_summary']) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'),
        (select max(id) from ${sql.table(table)}))`.execute(db);
  }
}
