import { expect, it, vi } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { misusedTokens } from '../../../playground/slack/installations/misuses.ts';
import { sampleOrganization } from '../../../playground/slack/more-workspaces.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { MIA, OLGA, PAUL, ROSA } from '../../playground/slack/installations/several.ts';
import { patienceMs } from '../../support/patience.ts';
import { type OAuthWorld, openBrowser, shareOlga, startOAuthWorld } from './oauth-world.ts';

const { enterpriseId } = sampleOrganization;

async function startInOrganization(): Promise<OAuthWorld> {
  const world = await startOAuthWorld({ change: shareOlga });
  expect((await openBrowser(world).install(enterpriseId, OLGA)).status).toBe(200);
  await world.person(OLGA, world.second).seeMessage('Belay is installed.');
  return world;
}

async function answerTo(person: Actor, text: string, expected: string | RegExp) {
  expect(await person.send('ops', text)).toEqual({ result: 'ok' });
  return person.seeMessage(expected);
}

it('installs in a whole organization, and works in each of its workspaces with its token', async () => {
  const world = await startOAuthWorld();
  const { slack, second, third, person, logged } = world;
  const page = await openBrowser(world).install(enterpriseId, OLGA);
  expect(page.status).toBe(200);
  expect(page.html).toContain('Belay is installed in your organization');
  expect(page.html).toContain(
    `https://app.slack.com/manage/${enterpriseId}/integrations/profile/A0BELAY001/workspaces/add`,
  );
  await person(OLGA, second).seeMessage('Belay is installed.');
  const from = slack.calls.length;
  for (const [workspace, who] of [
    [second, MIA],
    [third, PAUL],
  ] as const) {
    await answerTo(person(who, workspace), '/belay help', '/belay alerts');
    await person(who, workspace).send('Belay', 'hello');
    await vi.waitFor(() => {
      const posted = slack.received.filter(({ via }) => via === 'chat.postMessage');
      expect(posted.map(({ teamId }) => teamId)).toContain(workspace.teamId);
    }, patienceMs);
  }
  const callers = slack.calls.slice(from).flatMap(({ caller }) => caller ?? []);
  expect(callers.length).toBeGreaterThan(0);
  expect(new Set(callers.map(({ targetId }) => targetId))).toEqual(new Set([enterpriseId]));
  expect(misusedTokens(slack.calls)).toEqual([]);
  expect(logged.join('')).not.toContain('xoxb-');
});

it('keeps the setup of each workspace apart: an admin of one is no admin of the other', async () => {
  const world = await startInOrganization();
  const { second, third, person, slack } = world;
  await answerTo(person(OLGA, third), '/belay setup', 'Only admins can');
  await person(OLGA, second).send('ops', '/belay setup');
  await person(OLGA, second).seeDialog('Set up Belay');
  await person(ROSA, third).send('ops', '/belay setup');
  await person(ROSA, third).seeDialog('Set up Belay');
  const forms = slack.calls.filter(({ method }) => method === 'views.open');
  expect(forms.map(({ caller }) => caller?.teamId)).toEqual([second.teamId, third.teamId]);
});

it('takes a click for the workspace of its message, whatever workspace the person is from', async () => {
  const { second, third, person, slack } = await startInOrganization();
  for (const workspace of [third, second]) {
    const olga = person(OLGA, workspace);
    const list = await answerTo(olga, '/belay digest', 'No digests');
    expect(await olga.press(list, 'New digest')).toEqual({ result: 'ok' });
    await olga.close(await olga.seeDialog('New digest'));
  }
  const forms = slack.calls.filter(({ method }) => method === 'views.open');
  expect(forms.map(({ caller }) => caller?.teamId)).toEqual([third.teamId, second.teamId]);
});

/** A click on a message, as Slack sends it for an organization's installation. */
function click(
  { slack }: OAuthWorld,
  { blockId, from, organizationId = enterpriseId }: ClickOptions,
): Promise<unknown> {
  return slack.deliver('interactive', {
    type: 'block_actions',
    team: null,
    is_enterprise_install: true,
    trigger_id: '1.2',
    enterprise: { id: organizationId, name: 'Group' },
    user: from,
    response_url: `${slack.url}/nowhere`,
    actions: [{ type: 'button', block_id: blockId, action_id: 'digests.new', value: '{}' }],
  });
}
type ClickOptions = {
  blockId: string;
  from: { id: string; team_id: string };
  organizationId?: string;
};

it('refuses a click that names no workspace, or one that the person is not in', async () => {
  const world = await startInOrganization();
  const { second, third, slack } = world;
  const from = { id: MIA, team_id: second.teamId };
  const before = slack.calls.length;
  await click(world, { blockId: 'b1', from });
  expect(slack.calls.length).toBe(before);
  await click(world, { blockId: `team:${third.teamId}:0`, from });
  await vi.waitFor(() => expect(slack.calls.length).toBe(before + 1), patienceMs);
  expect(slack.calls.at(-1)?.method).toBe('users.info');
  const isRefused = () => world.logged.some((line) => line.includes('who is not a full member'));
  await vi.waitFor(() => expect(isRefused()).toBe(true), patienceMs);
});

it('shows in the doctor that it is installed in the whole organization', async () => {
  const { third, person } = await startInOrganization();
  await answerTo(person(ROSA, third), '/belay doctor all', 'Installed in the whole organization');
});

it('stops serving a workspace that is no longer granted, and resumes once it is', async () => {
  const world = await startInOrganization();
  const { second, third, person, slack, db, restart, wait } = world;
  await answerTo(person(MIA, second), '/belay help', '/belay alerts');
  slack.grantTeams([third.teamId]);
  await restart();
  const workspaces = db.selectFrom('organization_workspace').select('team_id');
  const listed = () => workspaces.where('removed_at', 'is', null).execute();
  await vi.waitFor(
    async () => expect(await listed()).toEqual([{ team_id: third.teamId }]),
    patienceMs,
  );
  const to = { teamId: second.teamId, channelId: 'C0W0000020', ownerSlackUserId: MIA };
  const outgoing = [{ subject: 'a', message: { text: 'Disk full' } }];
  await db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, new Date()));
  await answerTo(person(PAUL, third), '/belay help', '/belay alerts');
  const messages = db.selectFrom('delivery_message').where('team_id', '=', second.teamId);
  expect(await messages.select('state').execute()).toEqual([{ state: 'queued' }]);

  slack.grantTeams([second.teamId, third.teamId]);
  wait(61_000);
  await person(MIA, second).send('ops', '/belay help');
  await person(MIA, second).seeMessage('Disk full');
  expect(misusedTokens(slack.calls)).toEqual([]);
});

it('prefers the installation of the workspace itself, and never mixes the two', async () => {
  const world = await startOAuthWorld();
  const { first, second, third, person, slack } = world;
  await openBrowser(world).install(second.teamId, MIA);
  await openBrowser(world).install(enterpriseId, OLGA);
  await openBrowser(world).install(first.teamId, people.cleo);
  // The last calls that installing makes.
  await person(MIA, second).seeMessage('Belay is installed.');
  await person(OLGA, second).seeMessage('Belay is installed.');
  await person(people.cleo, first).seeMessage('Belay is installed.');
  const from = slack.calls.length;
  await answerTo(person(MIA, second), '/belay help', '/belay alerts');
  await answerTo(person(PAUL, third), '/belay help', '/belay alerts');
  const callers = slack.calls.slice(from).flatMap(({ caller }) => caller ?? []);
  for (const { targetId, teamId } of callers) {
    if (teamId === second.teamId) expect(targetId).toBe(second.teamId);
    if (teamId === third.teamId) expect(targetId).toBe(enterpriseId);
  }
  // A click of the organization's installation in a workspace with its own, or outside.
  const before = slack.calls.length;
  for (const { teamId } of [second, first]) {
    await click(world, { blockId: `team:${teamId}:0`, from: { id: MIA, team_id: teamId } });
  }
  const made = slack.calls.slice(before).map(({ method }) => method);
  expect(made.filter((method) => method !== 'auth.teams.list')).toEqual([]);
});

it('ignores a payload of another organization', async () => {
  const world = await startInOrganization();
  const { third, slack, logged } = world;
  const before = slack.calls.length;
  const from = { id: PAUL, team_id: third.teamId };
  const blockId = `team:${third.teamId}:0`;
  await click(world, { blockId, from, organizationId: 'E0OTHER001' });
  expect(slack.calls.length).toBe(before);
  expect(logged.filter((line) => line.includes('a listener failed'))).toEqual([]);
});

it('deletes the data of its workspaces when the organization uninstalls Belay', async () => {
  const world = await startInOrganization();
  const { first, second, third, person, slack, db } = world;
  await openBrowser(world).install(first.teamId, people.cleo);
  for (const { teamId } of [first, second, third]) {
    await db
      .insertInto('workspace_settings')
      .values({ team_id: teamId, settings: '{"approvers":["U1"]}' })
      .execute();
  }
  await slack.uninstall(enterpriseId);
  const settings = db.selectFrom('workspace_settings').select('team_id');
  await vi.waitFor(async () => {
    expect(await settings.execute()).toEqual([{ team_id: first.teamId }]);
  }, patienceMs);
  expect(await db.selectFrom('organization_workspace').selectAll().execute()).toEqual([]);
  const states = db.selectFrom('installation').select(['team_id', 'state', 'bot_token_sealed']);
  const ended = (await states.execute()).filter(({ team_id }) => team_id !== first.teamId);
  expect(ended).toHaveLength(3);
  for (const { state, bot_token_sealed } of ended) {
    expect([state, bot_token_sealed]).toEqual(['uninstalling', null]);
  }
  await answerTo(person(people.ana, first), '/belay help', '/belay alerts');
  expect(misusedTokens(slack.calls).filter(({ method }) => method !== 'auth.test')).toEqual([]);
});

it('publishes the Home tab in the workspace where it was opened, and its buttons act there', async () => {
  const { slack, second, third, person } = await startInOrganization();
  const from = slack.calls.length;
  await person(OLGA, third).openHome();
  const home = await person(OLGA, third).seeHome('Not connected');
  expect(JSON.stringify(home.blocks)).not.toContain('Set up Belay');
  await person(OLGA, third).press(home, 'Help');
  await person(OLGA, third).seeDialog('What Belay can do');
  // In her own workspace she is an admin.
  await person(OLGA, second).openHome();
  const own = await person(OLGA, second).seeHome('Set up Belay');
  await person(OLGA, second).press(own, 'Set up Belay');
  await person(OLGA, second).seeDialog('API token');
  const published = slack.calls.slice(from).filter(({ method }) => method === 'views.publish');
  const teams = new Set(published.map(({ caller }) => caller?.teamId));
  expect(teams).toEqual(new Set([second.teamId, third.teamId]));
  expect(misusedTokens(slack.calls)).toEqual([]);
});
