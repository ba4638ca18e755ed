import { randomBytes } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createLogAnnouncer } from '../../../src/features/audit/announce-log.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { someEntries, writeLog } from '../../audit-log/logged-team.ts';
import { newTeamId, noon } from '../../requests/store/rows.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { messagesOf } from '../../support/ask.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';

async function startAnnouncing() {
  const workspace = createWorkspace();
  const local = await startLocalSlack({ workspace });
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(async () => {
    await local.close();
    await close();
  });
  const teamId = newTeamId();
  const setChannel = async (team_id: string, approvalsChannel: string) => {
    const values = { team_id, settings: JSON.stringify({ approvalsChannel }) };
    await db.insertInto('workspace_settings').values(values).execute();
  };
  await setChannel(teamId, opsChannelId);
  const logged: string[] = [];
  const keys = [randomBytes(32)];
  const clients = clientsWithToken(workspace.app.botToken, { slackApiUrl: local.apiUrl });
  const slow = new Map<string, Promise<unknown>>();
  let now = noon;
  const startAnnouncer = () =>
    createLogAnnouncer({
      store: createAuditStore(db, serveAll),
      clients: {
        ...clients,
        async clientFor(id) {
          await slow.get(id);
          return clients.clientFor(id);
        },
      },
      clock: () => now,
      log: createLogger('error', { write: (line) => void logged.push(line) }),
    });
  const announce = startAnnouncer();
  return {
    db,
    teamId,
    local,
    setChannel,
    slow,
    logged,
    announce,
    startAnnouncer,
    append: (count: number, to = teamId) => writeLog(db, keys, someEntries(count, to)),
    pass: (hours: number) => {
      now = addHours(now, hours);
    },
    seen: () => messagesOf(actAs(local, people.ana)).map(({ text }) => text),
  };
}

it('posts the end of the log at most once a day, and only if it has changed', async () => {
  const { db, append, announce, startAnnouncer, pass, seen } = await startAnnouncing();
  await announce.finish();
  expect(seen()).toEqual([]);

  await append(2);
  const { hash } = await db.selectFrom('audit_log_head').select('hash').executeTakeFirstOrThrow();
  await Promise.all([announce.finish(), startAnnouncer().finish()]);
  expect(seen()).toEqual([
    expect.stringContaining(`Audit log checkpoint: \`2:${hash.slice(0, 16)}\` · 2 entries`),
  ]);

  await append(1);
  pass(23);
  await announce.finish();
  expect(seen()).toHaveLength(1);
  pass(1);
  await announce.finish();
  expect(seen()).toHaveLength(2);
  pass(48);
  await announce.finish();
  expect(seen()).toHaveLength(2);
});

it('waits for a channel, and ignores an earlier announcement with a future time', async () => {
  const { db, append, announce, seen } = await startAnnouncing();
  const other = newTeamId();
  await append(1, other);
  await announce.finish();
  expect(seen()).toEqual([]);

  await append(1);
  await db
    .updateTable('audit_log_head')
    .set({ announced_seq: 1000, announced_at: addHours(noon, 1000) })
    .execute();
  await announce.finish();
  expect(seen()).toHaveLength(1);
});

it('posts for the other teams if the post for one fails', async () => {
  const { teamId, local, setChannel, slow, logged, append, announce, seen } =
    await startAnnouncing();
  await setChannel('T0', opsChannelId);
  await append(1, 'T0');
  await append(2);
  // Nothing is posted for the other team before it failed.
  slow.set(
    teamId,
    vi.waitUntil(() => logged.length > 0, { timeout: 30_000 }),
  );
  local.failNext('chat.postMessage', 'fatal_error');
  await announce.finish();
  expect(seen()).toEqual([expect.stringContaining('2 entries')]);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ teamId: 'T0', msg: 'a checkpoint could not be posted' }),
  ]);
});

it('posts for the other teams while Slack does not answer for one', async () => {
  const { setChannel, slow, append, announce, seen } = await startAnnouncing();
  const { promise, resolve } = Promise.withResolvers<void>();
  slow.set('T0', promise);
  await setChannel('T0', opsChannelId);
  await append(1, 'T0');
  await append(2);
  const announcing = announce.finish();
  await expect.poll(seen).toEqual([expect.stringContaining('2 entries')]);
  resolve();
  await announcing;
  expect(seen()).toHaveLength(2);
});
