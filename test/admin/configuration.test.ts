import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { people } from '../../playground/people.ts';
import { messagesOf, seeAgain } from '../support/ask.ts';
import { startChild } from '../support/child.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { changeSetup, openSettings } from '../support/set-up.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWorld } from '../support/world.ts';
import { backends, configuration, runConfig } from './run-config.ts';

const root = join(import.meta.dirname, '..', '..');

it('applies, plans and exports a file from the command line', async () => {
  const { env, file, folder, token } = await backends();
  const command = ['run', '-s', 'admin', '--', 'config', 'apply', file, '--by', 'U024BE7LH9'];
  const applied = await startChild('npm', command, { env, cwd: root }).ended;
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout).toContain('+ connections.main.region: "here"');
  expect(applied.stdout).toContain('? Slack was not checked: there is no bot token.');
  expect(applied.stdout).toContain('Applied.');

  const copy = join(folder, 'export.yaml');
  expect(await runConfig(['export', copy], { env })).toEqual({ code: 0, out: '', error: '' });
  const exported = readFileSync(copy, 'utf8');
  expect(exported).toContain('env: BELAY_TOKEN_T0ACME_MAIN');
  expect(exported).not.toContain(token);

  writeFileSync(file, configuration.replace('C1OPS}', 'C1OPS, usersPerHour: 50}'));
  const plan = await runConfig(['plan', file], { env });
  expect(plan).toEqual({
    code: 2,
    out: "Workspace T0ACME:\n  ~ settings.usersPerHour: 10 → 50\n  ! requires a second person's approval: usersPerHour\n",
    error: '',
  });
  const wrong = await runConfig(['plan', join(folder, 'belay.yml')], { env });
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.error).toMatch(/belay\.yml:1: version: /);
});

/** A running Belay, and the command line on its database. */
async function startBelay() {
  const { db, isEmbedded, close } = await openAnyDatabase();
  onTestFinished(close);
  const opened = { db, isEmbedded, close: async () => undefined };
  const world = await startWorld({ openDatabase: async () => opened });
  const admin = (...args: string[]) =>
    runConfig(args, { env: world.env, openDatabase: async () => opened });
  const exported = async () => (await admin('export', '-')).out;
  return { ...world, db, admin, exported, folder: temporaryFolder() };
}

describe('a file that weakens a guard', () => {
  it('becomes one request, applied whole when somebody else approves it', async () => {
    const { cleo, ben, db, admin, exported, folder } = await startBelay();
    await changeSetup(cleo, { channel: 'C0OPS00001' });
    const file = join(folder, 'configuration.yaml');
    const before = await exported();
    const channel = /approvalsChannel: (\S+)/.exec(before)?.[1] ?? '';
    const owner = people.ana;
    const wanted = before
      .replace('usersPerHour: 10', 'usersPerHour: 20')
      .replace('rules: {}', 'rules:\n      users.delete: {hoursToDecide: 4}')
      .replace(
        'policyWatches: []',
        `policyWatches:\n      - {channel: ${channel}, connection: main, owner: ${owner}}`,
      );
    writeFileSync(file, wanted);
    const apply = ['apply', file, '--by', people.ana];
    const nowhere = '{channel: C0NOWHERE, connection: main, owner: U0NOBODY}';
    writeFileSync(file, wanted.replace('channels: []', `channels:\n      - ${nowhere}`));
    const unknown = await admin(...apply);
    expect(unknown.out).toContain("! C0NOWHERE is a channel that Belay can't post in");
    expect(unknown).toMatchObject({
      code: 1,
      error: expect.stringContaining('Nothing was changed.'),
    });
    writeFileSync(file, wanted);
    const refused = await admin(...apply);
    expect(refused.code).toBe(1);
    expect(refused.error).toMatch(/^The changes .* Nothing was changed\. Add --requested-by .*\n$/);
    const byBen = await admin(...apply, '--requested-by', people.ben, '--reason', 'peak season');
    expect(byBen.error).toContain(`${people.ben} isn't an admin`);

    // Ben could approve what is requested in Cleo's name.
    const byApprover = ['apply', file, '--by', people.ben, '--requested-by', people.cleo];
    const alone = await admin(...byApprover, '--reason', 'peak season');
    expect(alone.error).toContain(
      `${people.ben} could approve this change, which needs a second person.`,
    );

    // Ana could do the same while she stands in for Ben.
    const { team_id } = await db
      .selectFrom('workspace_settings')
      .select('team_id')
      .executeTakeFirstOrThrow();
    const ends_at = new Date(Date.now() + 3_600_000);
    await db
      .insertInto('stand_in')
      .values({ team_id, approver: people.ben, stand_in: people.ana, ends_at })
      .execute();
    const inPlace = await admin(
      ...[...apply, '--requested-by', people.cleo, '--reason', 'peak season'],
    );
    expect(inPlace.error).toContain(`${people.ana} could approve this change`);
    await db.deleteFrom('stand_in').execute();

    const requested = await admin(
      ...apply,
      '--requested-by',
      people.cleo,
      '--reason',
      'peak season',
    );
    expect(requested).toMatchObject({ code: 2, error: '' });
    expect(requested.out).toContain("! requires a second person's approval: usersPerHour");
    const request = await ben.seeMessage('*Users per hour*: 10 → 20');
    const shown = JSON.stringify(request.blocks);
    expect(shown).toContain('+ policyWatches:');
    expect(shown).toContain('Time to decide: 8 hours → 4 hours');
    expect(shown).toContain('peak season');
    expect(shown).toContain(`Submitted from the command line by: <@${people.ana}>`);
    const entry = await db
      .selectFrom('audit_log')
      .select(['actor', 'facts'])
      .where('event', '=', 'requested')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: people.cleo, facts: { submittedBy: people.ana } });
    expect(await exported()).toBe(before);

    await ben.press(request, 'Approve');
    await seeAgain(cleo, request, 'The setup was changed.');
    const after = await exported();
    expect(after).toContain('usersPerHour: 20');
    writeFileSync(file, wanted);
    expect(await admin('plan', file)).toMatchObject({ code: 0 });
  });

  it('names who ran the command in the log of a refused request', async () => {
    const { db, admin, exported, folder } = await startBelay();
    const file = join(folder, 'configuration.yaml');
    writeFileSync(file, (await exported()).replace('usersPerHour: 10', 'usersPerHour: 20'));
    const requestedBy = ['--requested-by', people.cleo, '--reason', 'peak season'];
    // There is no approvals channel in which anybody could approve.
    const refused = await admin('apply', file, '--by', people.ana, ...requestedBy);
    expect(refused.code).toBe(1);
    const entry = await db
      .selectFrom('audit_log')
      .select(['actor', 'facts'])
      .where('event', '=', 'refused')
      .executeTakeFirstOrThrow();
    const facts = { reason: 'no_audience', submittedBy: people.ana };
    expect(entry).toMatchObject({ actor: people.cleo, facts });
  });

  it('is void once the stored configuration changes, and plan shows its differences again', async () => {
    const { cleo, ben, admin, exported, folder, db } = await startBelay();
    await changeSetup(cleo, { channel: 'C0OPS00001' });
    const file = join(folder, 'configuration.yaml');
    const before = await exported();
    const wanted = before.replace('weakeningApprovals: 2', 'weakeningApprovals: 1');
    const request = async (text: string) => {
      const known = messagesOf(ben).map(({ messageTs }) => messageTs);
      writeFileSync(file, text);
      const requestedBy = ['--requested-by', people.cleo, '--reason', 'peak season'];
      const requested = await admin('apply', file, '--by', people.cleo, ...requestedBy);
      expect(requested).toMatchObject({ code: 2, error: '' });
      return ben.see(
        () =>
          messagesOf(ben).find(
            ({ messageTs, text: shown }) =>
              !known.includes(messageTs) && shown.includes('Waiting for approval.'),
          ),
        'the request',
      );
    };

    const first = await request(wanted);
    expect((await admin('plan', file)).out).toContain(
      `! voids ${people.cleo}'s request: change the Belay setup`,
    );
    await changeSetup(cleo, { usersPerHour: '5' });
    await seeAgain(ben, first, 'The setup was changed in the meantime.');
    const waiting = db.selectFrom('setup_change').select('id').where('saved_at', 'is', null);
    expect(await waiting.execute()).toEqual([]);
    const settings = await openSettings(cleo);
    expect(JSON.stringify(settings.blocks)).toContain('*Users per hour*\\n5');
    await cleo.close(settings);
    const changed = before.replace('usersPerHour: 10', 'usersPerHour: 5');
    expect(await exported()).toBe(changed);
    expect(await admin('plan', file)).toMatchObject({
      code: 2,
      out: expect.stringContaining('~ settings.weakeningApprovals: 2 → 1'),
    });

    // A new watch isn't a save of the setup: it is noticed when the request runs.
    const second = await request(changed.replace('weakeningApprovals: 2', 'weakeningApprovals: 1'));
    await cleo.send('random', '/belay watch policies');
    await cleo.seeMessage('Watch added.');
    const watched = await exported();
    await ben.press(second, 'Approve');
    await seeAgain(ben, second, 'The setup was changed in the meantime.');
    expect(await exported()).toBe(watched);
    expect(watched).toContain('weakeningApprovals: 2');
    const { out } = await admin('plan', file);
    expect(out).toContain('- policyWatches:');
    expect(out).not.toContain('voids');
  });

  it('is refused if nobody could have a role or meet a rule', async () => {
    const { slack, admin, exported, folder } = await startBelay();
    slack.setGroup('S0STORAGE1', { members: [] });
    const file = join(folder, 'configuration.yaml');
    writeFileSync(
      file,
      (await exported())
        .replace('roles: {}', 'roles: {operators: [S0STORAGE1]}')
        .replace(
          'protectedUsers: {}',
          'protectedUsers: {addresses: [joana.prado@example.com, joana@example.com], roles: [Ownr]}',
        )
        .replace(
          'rules: {}',
          `rules: {users.delete: {approvals: [{from: [S0SECURITY], count: 2}], breakGlass: [${people.cleo}]}}`,
        ),
    );
    const plan = await admin('plan', file);
    expect(plan.out).toContain(
      '! roles.operators: Nobody in these groups is an active full member of this workspace',
    );
    expect(plan.out).toContain(
      '! rules.users.delete.approvals.0: Only 1 of these people can approve, so this rule could never be met. Choose more people, or require fewer approvals',
    );
    expect(await admin('apply', file, '--by', people.cleo)).toMatchObject({
      code: 1,
      error: expect.stringContaining('Nothing was changed.'),
    });
  });
});
