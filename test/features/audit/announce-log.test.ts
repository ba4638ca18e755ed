import { randomBytes } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { expect, inject, it, onTestFinished } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createLogAnnouncer } from '../../../src/features/audit/announce-log.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { someEntries, writeLog } from '../../audit-log/logged-team.ts';
import { opsChannelId } from '../../slack/listeners/listening.ts';
import { messagesOf } from '../../support/ask.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';
import { newTeamId, noon } from '../approvals/store/rows.ts';

async function startAnnouncing() {
  const workspace = createWorkspace();
  const local = await startLocalSlack({ workspace });
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(async () => {
    await local.close();
    await close();
  });
  const teamId = newTeamId();
  const channels = new Map([[teamId, opsChannelId]]);
  const logged: string[] = [];
  const keys = [randomBytes(32)];
  let now = noon;
  const announce = createLogAnnouncer({
    store: createAuditStore(db, serveAll),
    readSettings: async (id) => ({ approvalsChannelId: channels.get(id) }),
    clients: clientsWithToken(workspace.app.botToken, { slackApiUrl: local.apiUrl }),
    clock: () => now,
    log: createLogger('error', { write: (line) => void logged.push(line) }),
  });
  return {
    db,
    teamId,
    local,
    channels,
    logged,
    announce,
    append: (count: number, to = teamId) => writeLog(db, keys, someEntries(count, to)),
    pass: (hours: number) => {
      now = addHours(now, hours);
    },
    seen: () => messagesOf(actAs(local, people.ana)).map(({ text }) => text),
  };
}

it('posts the end of the log at most once a day, and only if it has changed', async () => {
  const { db, append, announce, pass, seen } = await startAnnouncing();
  await announce();
  expect(seen()).toEqual([]);

  await append(2);
  const { hash } = await db.selectFrom('audit_log_head').select('hash').executeTakeFirstOrThrow();
  await Promise.all([announce(), announce()]);
  expect(seen()).toEqual([
    expect.stringContaining(`Audit log checkpoint: \`2:${hash.slice(0, 16)}\` · 2 entries`),
  ]);

  await append(1);
  pass(23);
  await announce();
  expect(seen()).toHaveLength(1);
  pass(1);
  await announce();
  expect(seen()).toHaveLength(2);
  pass(48);
  await announce();
  expect(seen()).toHaveLength(2);
});

it('waits for a channel, and ignores an earlier announcement with a future time', async () => {
  const { db, append, announce, seen } = await startAnnouncing();
  const other = newTeamId();
  await append(1, other);
  await announce();
  expect(seen()).toEqual([]);

  await append(1);
  await db
    .updateTable('audit_log_head')
    .set({ announced_seq: 1000, announced_at: addHours(noon, 1000) })
    .execute();
  await announce();
  expect(seen()).toHaveLength(1);
});

it('posts for the other teams if the post for one fails', async () => {
  const { local, channels, logged, append, announce, seen } = await startAnnouncing();
  channels.set('T0', opsChannelId);
  // Teams are served in the order of their ids.
  await append(1, 'T0');
  await append(2);
  local.failNext('chat.postMessage', 'fatal_error');
  await announce();
  expect(seen()).toEqual([expect.stringContaining('2 entries')]);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ teamId: 'T0', msg: 'a checkpoint could not be posted' }),
  ]);
});
