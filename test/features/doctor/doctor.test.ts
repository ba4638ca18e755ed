import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import { createTransport } from '../../../src/dataprotection/client.ts';
import { examine } from '../../../src/features/doctor/index.ts';
import { createLogger } from '../../../src/logger.ts';
import { joinReplicas } from '../../../src/replicas/replicas.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { noRoles } from '../../support/no-roles.ts';
import { changeSetup } from '../../support/set-up.ts';
import { storeSettings } from '../../support/store-settings.ts';
import { shareWorld } from '../../support/world.ts';

describe('/belay doctor', () => {
  const world = shareWorld({
    async openDatabase() {
      const opened = await openAnyDatabase();
      db = opened.db;
      return opened;
    },
  });
  let db: Database;

  /** The answer to an admin, and its lines. */
  async function ask(answer: string | RegExp = /No problems found|\d+ (problem|warning)/) {
    const { cleo } = world();
    await cleo.send('ops', '/belay doctor all');
    const { text } = await cleo.seeMessage(answer);
    return text.split('\n');
  }

  const twoApprovers = [people.ben, people.cleo];
  const nameApprovers = async (approvers: string[]) => {
    const { cleo } = world();
    await cleo.close(await changeSetup(cleo, { approvers }));
  };

  it('says that no token owner is set, and what works once one is', async () => {
    await nameApprovers(twoApprovers);
    const before = await ask();
    expect(before[0]).toBe('🟡 1 warning');
    expect(before).toContain(
      ":warning: *Warning · Service:* No token owner is set, so Belay can't refuse to disable or delete that user.",
    );
    await changeSetup(world().cleo, { owner: 'joana.prado@example.com' });
    const lines = await ask('No problems found');
    expect(lines[0]).toBe('✅ No problems found');
    const areas = lines.slice(1).map((line) => /^:white_check_mark: \*(.+?):\*/.exec(line)?.[1]);
    expect(areas).toEqual([
      ...['Slack', 'Channels', 'Service', 'Database', 'Keys', 'Processes', 'Work', 'Upgrade'],
      'Watches and digests',
    ]);
  });

  it('says that too few different people can approve what requires several', async () => {
    const few = (who: string) =>
      [
        'Weakening a policy',
        'Restoring to another account, region or encryption key',
        'Inviting an administrator',
      ].map(
        (what) =>
          `:warning: *Warning · Approvers:* ${what} requires 2 approvers, and ${who} can approve.`,
      );
    const { slack } = world();
    slack.setPerson(people.ben, { email: 'cleo+ben@harbor.example' });
    expect(await ask()).toEqual(expect.arrayContaining(few(`only <@${people.cleo}>`)));
    slack.setPerson(people.ben, { email: 'ben@harbor.example' });
    await nameApprovers([]);
    slack.reset();
    expect(await ask()).toEqual(expect.arrayContaining(few(`only <@${people.cleo}>`)));
    slack.reset();
    slack.setPerson(people.ben, { isAdmin: true });
    expect((await ask()).join()).not.toContain('Approvers');
    slack.setPerson(people.ben, { isAdmin: false });
    await nameApprovers(twoApprovers);
  });

  it('says that only one person, or nobody, can approve', async () => {
    const { cleo, slack } = world();
    await cleo.close(await changeSetup(cleo, { weakeningApprovals: '1' }));
    expect((await ask()).join()).not.toContain('Approvers');
    slack.reset();
    slack.setPerson(people.ben, { email: '' });
    const who = `<@${people.cleo}>`;
    expect(await ask()).toContain(
      `:warning: *Warning · Approvers:* Only ${who} can approve requests, so nobody can approve the requests of ${who} or about ${who}.`,
    );
    slack.reset();
    for (const id of twoApprovers) slack.setPerson(id, { email: '' });
    expect((await ask()).join()).toContain('Approvers:* Nobody can approve requests.');
    slack.setPerson(people.ben, { email: 'ben@harbor.example' });
    slack.setPerson(people.cleo, { email: 'cleo@harbor.example' });
    await cleo.close(await changeSetup(cleo, { weakeningApprovals: '2' }));
  });

  it('shows only what needs attention until asked for all', async () => {
    const { cleo } = world();
    await cleo.send('ops', '/belay doctor');
    const answer = await cleo.seeMessage(/No problems found|\d+ (problem|warning)/);
    expect(answer.text).not.toContain(':white_check_mark: *');
    await cleo.press(answer, 'Show all');
    await cleo.seeMessage(':white_check_mark: *Database:*');
  });

  it('is for admins, and help lists it for them only', async () => {
    const { ana, cleo } = world();
    await ana.send('ops', '/belay doctor');
    await ana.seeMessage('Only admins can run this check');
    await ana.send('ops', '/belay help');
    expect((await ana.seeMessage('What Belay can do')).text).not.toContain('doctor');
    await cleo.send('ops', '/belay help');
    expect((await cleo.seeMessage('What Belay can do')).text).toContain('/belay doctor');
  });

  it('names what is wrong, the worst first, each with a remedy', async () => {
    const { cleo, service, slack, workspace } = world();
    await cleo.send('ops', '/belay watch all');
    await cleo.seeMessage('Watch added.');
    const scopes = workspace.app.scopes.splice(0);
    workspace.app.scopes.push(...scopes.filter((scope) => scope !== 'groups:read'));
    onTestFinished(() => {
      workspace.app.scopes.splice(0, scopes.length, ...scopes);
    });
    service.setFault({ kind: 'status', status: 401 });
    slack.failNext('conversations.info', 'channel_not_found');
    await joinReplicas(db, { id: 'old', version: '0.0.9', clock: () => new Date() });
    onTestFinished(async () => {
      await db.deleteFrom('replica').where('id', '=', 'old').execute();
    });

    const lines = await ask();
    // On a busy machine there may be more: a poll that failed meanwhile, a slow database.
    expect(lines[0]).toMatch(/^🔴 \d problems, \d warnings$/);
    expect(lines).toEqual(
      expect.arrayContaining([
        ':red_circle: *Problem · Slack:* The bot token lacks scopes: `groups:read`.',
        'Install the app again from `manifest.yml`.',
        ':red_circle: *Problem · Service:* The service refuses the API token.',
        'Enter a new API token with `/belay setup`.',
        expect.stringMatching(/^:warning: \*Warning · Channels:\* Belay can't post in <#C\w+>/),
        'Invite Belay there with `/invite @Belay`.',
        expect.stringMatching(/different versions: .*`old` \(0\.0\.9\)/),
        'Finish the upgrade: stop the processes of the older version.',
      ]),
    );
    const severities = lines.map(
      (line) => /^:(red_circle|warning|white_check_mark):/.exec(line)?.[1],
    );
    const order = [...new Set(severities.filter((one) => one !== undefined))];
    expect(order).toEqual(['red_circle', 'warning', 'white_check_mark']);
  });

  it('says that an older installation has to be renewed to get direct messages and mentions', async () => {
    const { workspace } = world();
    const { scopes } = workspace.app;
    onTestFinished(() => {
      workspace.app.scopes = scopes;
    });
    workspace.app.scopes = scopes.filter(
      (scope) => !/^(im:history|app_mentions:read)$/.test(scope),
    );
    const lines = await ask();
    // A watch of the test before may be failing still.
    expect(lines.join('\n')).not.toContain('Problem · Slack');
    expect(lines).toContain(
      ":warning: *Warning · Slack:* Belay can't answer direct messages and mentions: the bot token lacks `im:history`, `app_mentions:read`.",
    );
    expect(lines).toContain('Install the app again from `manifest.yml`.');
  });

  it('says that an approver is not in the workspace anymore', async () => {
    onTestFinished(() => storeSettings(db, { approvers: twoApprovers }));
    await storeSettings(db, { approvers: [...twoApprovers, 'U0NOBODY99'] });
    const lines = await ask();
    expect(lines).toContain(
      ':warning: *Warning · Slack:* These approvers are no longer full members: <@U0NOBODY99>.',
    );
    expect(lines.join('\n')).not.toContain('Not checked');
  });

  it('says that Slack refuses the token, or shows no addresses', async () => {
    const { slack } = world();
    slack.failNext('auth.test', 'token_revoked');
    expect(await ask()).toContain(
      ':red_circle: *Problem · Slack:* Slack refuses the bot token (`token_revoked`).',
    );
    slack.reset();
    slack.setPerson(people.cleo, { email: '' });
    expect(await ask()).toContain(
      `:warning: *Warning · Slack:* Slack doesn't show Belay the email address of <@${people.cleo}>.`,
    );
    slack.reset();
    slack.setPerson(people.ben, { email: '' });
    slack.setPerson(people.cleo, { email: '' });
    const text = (await ask()).join('\n');
    expect(text).toMatch(/Problem · Slack:\* Slack doesn't show Belay any email addresses/);
  });

  it('says that the service does not answer', async () => {
    world().service.setFault({ kind: 'hang' });
    const text = (await ask()).join('\n');
    expect(text).toMatch(/Problem · Service:\* The service took too long to respond/);
  });

  it('finds work that nobody does, and processes that disappeared', async () => {
    const past = new Date(Date.now() - 20 * 60_000);
    await joinReplicas(db, { id: 'gone', version: '0.1.0', clock: () => past });
    const digest = {
      id: randomUUID(),
      team_id: world().workspace.teamId,
      channel_id: 'C1',
      time: '08:00',
      weekdays: '[1]',
      time_zone: 'UTC',
      parts: '{}',
      search: '{}',
      when_empty: 'silence' as const,
      created_by: 'U1',
      created_at: past,
      source_view_id: 'V1',
      covered_until: past,
      next_run_at: past,
      paused_at: past,
      paused_reason: 'Belay could not post here.',
    };
    const direct = {
      id: randomUUID(),
      channel_id: 'D1',
      source_view_id: 'V2',
      paused_reason: 'The person who set this up lost access to Belay.',
    };
    await db
      .insertInto('digest')
      .values([digest, { ...digest, ...direct }])
      .execute();
    onTestFinished(async () => {
      await db.deleteFrom('digest').execute();
      await db.deleteFrom('replica').where('id', '=', 'gone').execute();
    });
    const text = (await ask()).join('\n');
    expect(text).toMatch(/The process `gone` disappeared <!date.*without stopping cleanly/);
    expect(text).toContain('1 digest in <#C1> paused: Belay could not post here.');
    expect(text).toContain('Invite Belay to the channel and run `/belay digest` there.');
    // Nobody can invite Belay to the direct messages of a person.
    expect(text).toContain(
      '1 digest in direct messages of <@U1> paused: The person who set this up lost access to Belay.',
    );
    expect(text).toContain('Check with `/belay access` that this person has access to Belay.');
  });

  it('finds policies that could not be read while a channel watches, and a paused watch', async () => {
    const { ana, workspace } = world();
    const { teamId: team_id } = workspace;
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await ana.send('ops', '/belay watch policies');
    await ana.seeMessage('Watch added.');
    const connection = db
      .selectFrom('connection')
      .select('id')
      .where('team_id', '=', team_id)
      .where('replaced_at', 'is', null);
    const { id: connection_id } = await connection.executeTakeFirstOrThrow();
    const soon = ago(-5);
    const store = async (columns: object) => {
      world().slack.reset();
      const row = { connection_id, team_id, next_at: soon, ...columns };
      await db.deleteFrom('policy_observation').execute();
      await db.insertInto('policy_observation').values(row).execute();
    };
    onTestFinished(async () => {
      await db.deleteFrom('policy_observation').execute();
      await db.deleteFrom('policy_watch').execute();
    });
    await store({ observed_at: ago(60), failing_since: ago(50), failure: 'It is down.' });
    expect((await ask()).join('\n')).toMatch(
      /Problem · Watches and digests:\* Belay hasn't been able to read the policies since <!date.*It is down\. Last read: <!date/,
    );
    await store({ failing_since: ago(5), failure: 'It is down.' });
    expect((await ask()).join('\n')).not.toContain('policies');
    await store({ next_at: ago(20) });
    expect((await ask()).join('\n')).toContain("Belay hasn't read the policies on time");
    await store({ unlisted_since: ago(20) });
    expect((await ask()).join('\n')).toContain("The service hasn't listed the policies since");
    await store({});
    const paused = { paused_at: ago(20), paused_reason: 'Belay could not post here.' };
    await db.updateTable('policy_watch').set(paused).execute();
    expect((await ask()).join('\n')).toMatch(
      /1 watch in <#\w+> paused: Belay could not post here\./,
    );
  });
});

it('answers in time when neither the database nor the service answers', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const hanging = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: () => new Promise(() => undefined),
  });
  const transport = createTransport();
  onTestFinished(() => transport.dispatcher.close());
  const never = () => new Promise<never>(() => undefined);
  const findings = await examine(
    { teamId: 'T1', slack: undefined },
    {
      db: hanging,
      isServed: serveAll,
      isEmbedded: false,
      regions: [],
      encryptionKeys: [Buffer.alloc(32)],
      store: { listConnections: never, openConnection: never, readSettings: never },
      access: noRoles,
      transport,
      describeCause: String,
      clock: () => new Date(),
      log: createLogger('silent'),
      timeoutMs: 50,
    },
  );
  expect(findings.map(({ severity, area }) => `${severity} ${area}`)).toEqual([
    'problem Database',
    ...['Installation', 'Service', 'Keys', 'Processes', 'Work', 'Upgrade', 'Break-glass'].map(
      (one) => `warning ${one}`,
    ),
    ...['warning Stored data', 'warning Watches and digests'],
  ]);
  for (const { remedy } of findings) expect(remedy).toBeTruthy();
});
