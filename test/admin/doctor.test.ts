import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { people } from '../../playground/people.ts';
import { sampleOrganization } from '../../playground/slack/more-workspaces.ts';
import { type ProcessContext, runAdmin } from '../../src/admin/run-admin.ts';
import { openBrowser, shareOlga, startOAuthWorld } from '../features/installations/oauth-world.ts';
import { OLGA, ROSA } from '../playground/slack/installations/several.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { changeSetup } from '../support/set-up.ts';
import { startWorld } from '../support/world.ts';

async function startBelay() {
  const { db, isEmbedded, close } = await openAnyDatabase();
  onTestFinished(close);
  const opened = { db, isEmbedded, close: async () => undefined };
  const world = await startWorld({ openDatabase: async () => opened });

  /** Runs `admin doctor` on the database of the running Belay. */
  const doctor = (env: Record<string, string>, ...args: string[]) =>
    runDoctor(args, { env, openDatabase: async () => opened });
  return { ...world, doctor, db };
}

async function runDoctor(args: string[], context: Pick<ProcessContext, 'env' | 'openDatabase'>) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await runAdmin(['doctor', ...args], { ...context, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, error] = await said;
  return { code, out, error };
}

it('admin doctor prints the same findings as plain text', async () => {
  const { cleo, env, service, workspace, doctor } = await startBelay();
  const approvers = [people.ben, people.cleo];
  await changeSetup(cleo, { owner: 'joana.prado@example.com', approvers });
  const healthy = await doctor(env);
  expect(healthy).toMatchObject({ code: 0, error: '' });
  expect(healthy.out).toMatch(/^OK {7}Slack: Slack accepts the bot token\.$/m);
  expect(healthy.out).toMatch(/^OK {7}Service: .* expires \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m);
  expect(healthy.out).toMatch(/\nNo problems found\.\n$/);

  service.setFault({ kind: 'status', status: 401 });
  const { SLACK_BOT_TOKEN: _, ...withoutSlack } = env;
  const broken = await doctor(withoutSlack, '--team', workspace.teamId);
  expect(broken.code).toBe(1);
  expect(broken.out).toMatch(
    /^PROBLEM {2}Service: The service refuses the API token\.\n {9}Enter a new API token with \/belay setup\.\n/,
  );
  expect(broken.out).toMatch(
    /Slack was not checked: there is no bot token\. Set SLACK_BOT_TOKEN, or install Belay with OAuth\.\n1 problem\.\n$/,
  );
});

const hourMs = 3600_000;

it('admin doctor says that a stopped Belay has not refreshed the bot token', async () => {
  const world = await startOAuthWorld({ rotatesTokens: true, startsMsAgo: 13 * hourMs });
  const { second, env, openDatabase, stop, wait } = world;
  await openBrowser(world).install(second.teamId, OLGA);
  await stop();
  wait(13 * hourMs);
  const { out } = await runDoctor(['--team', second.teamId], { env, openDatabase });
  expect(out).toMatch(
    /^WARNING {2}Installation: The bot token expired .*\.\n {9}Start Belay, which refreshes the token\.$/m,
  );
  expect(out).toContain('Slack was not checked: the bot token has expired.');
  expect(out).not.toContain('Install Belay again');
});

it("admin doctor names a bot token that can't be decrypted", async () => {
  const world = await startOAuthWorld();
  const { third, person, second, env, openDatabase } = world;
  await openBrowser(world).install(sampleOrganization.enterpriseId, OLGA);
  await person(OLGA, second).seeMessage('Belay is installed.');
  const lost = { ...env, BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  const { code, out } = await runDoctor(['--team', third.teamId], { env: lost, openDatabase });
  expect(code).toBe(1);
  expect(out).toContain("PROBLEM  Keys: Slack's bot token is encrypted with a key");
  expect(out).toContain("Slack was not checked: the stored bot token can't be decrypted.");
});

it('admin doctor ignores what is due in workspaces that Belay no longer serves', async () => {
  const byToken = await startBelay();
  const byOAuth = await startOAuthWorld();
  const { second } = byOAuth;
  await openBrowser(byOAuth).install(second.teamId, OLGA);
  const examined = [
    { ...byToken, teamId: byToken.workspace.teamId },
    { ...byOAuth, teamId: second.teamId },
  ];
  for (const { db, env, teamId } of examined) {
    const sinceYesterday = new Date(Date.now() - 24 * hourMs);
    const left = { team_id: 'T0LEFT', channel_id: 'C1', last_position: 1 };
    const due = { ...left, due_at: sinceYesterday, ready_at: sinceYesterday };
    await db.insertInto('delivery_channel').values(due).execute();
    // As on a server: only there does the command look at the work of the running Belay.
    const openDatabase = async () => ({ db, isEmbedded: false, close: async () => undefined });
    const { out } = await runDoctor(['--team', teamId], { env, openDatabase });
    expect(out).toMatch(/^OK {7}Work: Nothing is overdue/m);
  }
});

it('admin doctor counts no admin of another workspace of the organization', async () => {
  const world = await startOAuthWorld({ change: shareOlga });
  const { second, third, person, env, openDatabase } = world;
  await openBrowser(world).install(sampleOrganization.enterpriseId, OLGA);
  await person(OLGA, second).seeMessage('Belay is installed.');
  const { out } = await runDoctor(['--team', third.teamId], { env, openDatabase });
  expect(out).toContain(`Only ${ROSA} can approve requests`);
});
