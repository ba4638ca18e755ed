import { expect, test } from 'vitest';
import { ANA, BEN, DEE, OPS, SAM, startStage } from '../stage.ts';

test('users.info returns the current membership', async () => {
  const stage = await startStage();
  const info = async (user: string) => (await stage.client.users.info({ user })).user;
  expect(await info(ANA)).toMatchObject({
    id: ANA,
    team_id: stage.workspace.teamId,
    tz: 'Europe/Lisbon',
    tz_offset: 0,
    deleted: false,
    is_admin: false,
    is_restricted: false,
    is_stranger: false,
    profile: { email: 'ana@harbor.example' },
  });
  expect(await info(BEN)).toMatchObject({ tz_offset: -5 * 3600 });
  expect(await info(DEE)).toMatchObject({ deleted: true });
  expect(await info(SAM)).toMatchObject({ is_stranger: true, team_id: 'T0PARTNER1' });
  expect(await info(stage.workspace.app.botUserId)).toMatchObject({ is_bot: true });
  stage.slack.setPerson(ANA, { isGuest: true, isAdmin: true });
  expect(await info(ANA)).toMatchObject({ is_restricted: true, is_admin: true });
  await expect(info('U0NOBODY')).rejects.toMatchObject({ data: { error: 'user_not_found' } });
});

test('an e-mail address requires its scope', async () => {
  const stage = await startStage((workspace) => {
    workspace.app.scopes = ['users:read'];
  });
  const { user } = await stage.client.users.info({ user: ANA });
  expect(user?.profile).not.toHaveProperty('email');
  await expect(
    stage.client.users.lookupByEmail({ email: 'ana@harbor.example' }),
  ).rejects.toMatchObject({ data: { error: 'missing_scope' } });
});

test('people are found by e-mail address', async () => {
  const stage = await startStage();
  const found = await stage.client.users.lookupByEmail({ email: 'Ben@harbor.example' });
  expect(found.user?.id).toBe(BEN);
  await expect(
    stage.client.users.lookupByEmail({ email: 'dee@harbor.example' }),
  ).rejects.toMatchObject({ data: { error: 'users_not_found' } });
});

test('conversations, the team and the page list the same people', async () => {
  const stage = await startStage();
  const { channel } = await stage.client.conversations.info({ channel: OPS });
  expect(channel).toMatchObject({ name: 'ops', is_member: true, is_ext_shared: true });
  const { members } = await stage.client.conversations.members({ channel: OPS });
  expect(members).toEqual(expect.arrayContaining([ANA, BEN, SAM, stage.workspace.app.botUserId]));
  expect((await stage.client.team.info()).team).toMatchObject({ name: 'Harbor Ops' });
  await expect(stage.client.conversations.open({ users: DEE })).rejects.toMatchObject({
    data: { error: 'user_disabled' },
  });
  const { people, commands, conversations } = stage.slack.snapshot(ANA);
  expect(people.map((one) => one.realName.split(' ')[0])).toEqual(['Ana', 'Ben', 'Cleo', 'Gus']);
  expect(commands.map((one) => one.command)).toEqual(['/belay']);
  expect(conversations.map((one) => one.name)).toEqual(['ops', 'approvals', 'random', 'Belay']);
});

test('a channel with a list of members is visible only to them', async () => {
  const stage = await startStage((workspace) => {
    for (const channel of workspace.channels) {
      if (channel.channelId === OPS) channel.members = [BEN];
    }
  });
  const names = (id: string) =>
    stage.slack.snapshot(id).conversations.map((conversation) => conversation.name);
  expect(names(ANA)).not.toContain('ops');
  expect(names(BEN)).toContain('ops');
  await expect(
    stage.client.chat.postEphemeral({ channel: OPS, user: ANA, text: 'x' }),
  ).rejects.toMatchObject({ data: { error: 'user_not_in_channel' } });
});
