import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { people } from '../../../playground/people.ts';
import { misusedTokens } from '../../../playground/slack/installations/misuses.ts';
import type { Workspace } from '../../../playground/slack/workspace.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { MIA, OLGA } from '../../playground/slack/installations/several.ts';
import { patienceMs } from '../../support/patience.ts';
import { type OAuthWorld, openBrowser, startOAuthWorld } from './oauth-world.ts';

/** The tokens and workspaces of the calls that the app made since `from`. */
function callers({ slack }: OAuthWorld, from: number) {
  return slack.calls.slice(from).flatMap(({ caller }) => (caller ? [caller] : []));
}

it('installs in two workspaces, and each call carries the token of its workspace', async () => {
  const world = await startOAuthWorld();
  const { slack, first, second, person } = world;
  const page = await openBrowser(world).install(first.teamId, people.cleo);
  expect(page.status).toBe(200);
  expect(page.html).toContain('Belay is installed');
  expect(page.html).toContain('/belay setup');
  const clientUrl = `${slack.url}/client/${first.teamId}`;
  expect(page.html).toContain(clientUrl);
  const opened = await fetch(clientUrl, { redirect: 'manual' });
  expect(opened.headers.get('location')).toBe(`/?as=${people.cleo}`);
  await openBrowser(world).install(second.teamId, OLGA);
  const welcome = await person(OLGA, second).seeMessage('Belay is installed.');
  expect(welcome.text).toContain('Belay is installed.');
  await person(people.cleo, first).seeMessage('Belay is installed.');

  for (const [workspace, who] of [
    [first, people.ana],
    [second, MIA],
  ] as const) {
    const from = slack.calls.length;
    expect(await person(who, workspace).send('ops', '/belay help')).toEqual({ result: 'ok' });
    await person(who, workspace).seeMessage('/belay alerts');
    const made = callers(world, from);
    expect(made.length).toBeGreaterThan(0);
    for (const caller of made) {
      expect(caller).toMatchObject({ targetId: workspace.teamId, teamId: workspace.teamId });
      expect(caller).not.toHaveProperty('elsewhere');
    }
  }
});

it('keeps installations over a restart, encrypted', async () => {
  const world = await startOAuthWorld();
  const { second, person, restart, db } = world;
  await openBrowser(world).install(second.teamId, OLGA);
  await restart();
  await person(MIA, second).send('ops', '/belay help');
  await person(MIA, second).seeMessage('/belay alerts');
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ team_id: second.teamId, installed_by: OLGA, state: 'active' });
  expect(JSON.stringify(row)).not.toContain('xoxb-');
});

it('refuses a form that was opened in another workspace', async () => {
  const world = await startOAuthWorld();
  const { slack, first, second, person, db } = world;
  await openBrowser(world).install(first.teamId, people.cleo);
  await openBrowser(world).install(second.teamId, OLGA);
  await person(people.cleo, first).send('ops', '/belay setup');
  await person(people.cleo, first).seeDialog('Set up Belay');
  const opened = await vi.waitFor(() => {
    const updated = slack.calls.findLast(({ method }) => method === 'views.update');
    if (!updated) throw new Error('the form is not there yet');
    return updated;
  }, patienceMs);
  const submitted = await slack.deliver('interactive', {
    type: 'view_submission',
    team: { id: first.teamId },
    enterprise: null,
    user: { id: OLGA, team_id: second.teamId },
    view: {
      ...z.object({ view: z.looseObject({}) }).parse(opened.result).view,
      app_installed_team_id: second.teamId,
      state: { values: {} },
    },
  });
  expect(JSON.stringify(submitted)).toContain(
    'This form was opened in another workspace. Nothing was changed. Open the form again here.',
  );
  expect(await db.selectFrom('workspace_settings').selectAll().execute()).toEqual([]);
});

it('answers a form of another workspace directly, not in the channel that the form names', async () => {
  const world = await startOAuthWorld();
  const { slack, first, second, person } = world;
  await openBrowser(world).install(first.teamId, people.cleo);
  await openBrowser(world).install(second.teamId, OLGA);
  const [channel] = first.channels;
  const metadata = { userId: '1', verb: 'disable', channelId: channel?.channelId };
  await slack.deliver('interactive', {
    type: 'view_submission',
    team: { id: second.teamId },
    enterprise: null,
    user: { id: OLGA, team_id: second.teamId },
    view: {
      id: 'V1',
      callback_id: 'users.request',
      state: { values: { reason: { input: { type: 'plain_text_input', value: 'Left' } } } },
      private_metadata: JSON.stringify({ ...metadata, team: first.teamId }),
    },
  });
  await person(OLGA, second).seeMessage('This form was opened in another workspace.');
  expect(misusedTokens(slack.calls)).toEqual([]);
});

it('delivers the messages of workspaces in which it is installed, and leaves the others waiting', async () => {
  const world = await startOAuthWorld();
  const { first, second, person, db, slack } = world;
  await openBrowser(world).install(second.teamId, OLGA);
  await openBrowser(world).install(first.teamId, people.cleo);
  await person(people.cleo, first).seeMessage('Belay is installed.');
  await person(OLGA, second).seeMessage('Belay is installed.');
  const from = slack.calls.length;
  const otherTeamId = 'T0OTHER001';
  const channelOf = ({ teamId, channels: [ops] }: Workspace) => [teamId, ops?.channelId] as const;
  const channels = [channelOf(first), channelOf(second), [otherTeamId, 'C1'] as const];
  for (const [teamId, channelId = ''] of channels) {
    const to = { teamId, channelId, ownerSlackUserId: 'U1' };
    const outgoing = [{ subject: 'a', message: { text: `Disk full in ${teamId}` } }];
    await db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, new Date()));
  }
  await person(MIA, second).seeMessage(`Disk full in ${second.teamId}`);
  await person(people.ana, first).seeMessage(`Disk full in ${first.teamId}`);
  const made = callers(world, from).map(({ targetId, teamId }) => [targetId, teamId]);
  expect(made).toHaveLength(2);
  expect(made).toContainEqual([first.teamId, first.teamId]);
  expect(made).toContainEqual([second.teamId, second.teamId]);
  const waiting = db.selectFrom('delivery_message').select('team_id').where('state', '=', 'queued');
  await vi.waitFor(async () => {
    expect(await waiting.execute()).toEqual([{ team_id: otherTeamId }]);
  }, patienceMs);
});

it('shows in the doctor who installed it', async () => {
  const world = await startOAuthWorld();
  const { second, person } = world;
  await openBrowser(world).install(second.teamId, OLGA);
  await person(OLGA, second).send('ops', '/belay doctor all');
  const { blocks, text } = await person(OLGA, second).seeMessage(`Installed by <@${OLGA}>`);
  expect(JSON.stringify([text, blocks])).toContain('Slack accepts the bot token.');
});

it('replaces the tokens when it is installed again, and keeps the settings', async () => {
  const world = await startOAuthWorld();
  const { second, person, db } = world;
  await openBrowser(world).install(second.teamId, OLGA);
  await db
    .insertInto('workspace_settings')
    .values({
      team_id: second.teamId,
      settings: '{"approvers":["U1"]}',
    })
    .execute();
  await openBrowser(world).install(second.teamId, MIA);
  const rows = await db.selectFrom('installation').selectAll().execute();
  expect(rows).toMatchObject([{ team_id: second.teamId, version: 2, installed_by: MIA }]);
  expect(await db.selectFrom('workspace_settings').select('settings').execute()).toEqual([
    { settings: { approvers: ['U1'] } },
  ]);
  await person(MIA, second).send('ops', '/belay help');
  await person(MIA, second).seeMessage('/belay alerts');
});

it('keeps codes and tokens out of the log and the page', async () => {
  const world = await startOAuthWorld();
  const { slack, second, logged } = world;
  const browser = openBrowser(world);
  const authorizeUrl = await browser.begin();
  const returned = await slack.install(second.teamId, OLGA, { authorizeUrl });
  const page = await browser.get(returned.href);
  const code = returned.searchParams.get('code') ?? 'no code';
  const { clientSecret } = second.app;
  for (const secret of [code, clientSecret, 'xoxb-']) {
    expect(page.html).not.toContain(secret);
    expect(logged.join('')).not.toContain(secret);
  }
});
