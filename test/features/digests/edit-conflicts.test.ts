import { expect, it } from 'vitest';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { startDigests, teamId } from './start-digests.ts';

type Stage = Awaited<ReturnType<typeof startDigests>>;

async function openForm(person: Stage['ana']) {
  await person.send('ops', '/belay digest');
  await person.press(await person.seeMessage('1 digest in this channel'), 'Edit');
  return person.seeDialog('Edit digest');
}

async function preview(person: Stage['ana'], values: Record<string, { input: string | string[] }>) {
  await person.submit(await openForm(person), values);
  return person.seeDialog('This digest, if posted now');
}

it('refuses a form if somebody else saved meanwhile, and shows the current settings', async () => {
  const stage = await startDigests();
  const { ana, ben } = stage;
  await stage.addDigest({ parts: ['new', 'approvals'] });
  const outdated = await preview(ana, { time: { input: '10:30' } });
  const first = await preview(ben, { parts: { input: ['approvals'] }, time: { input: '08:15' } });
  await ben.submit(first, {});
  await ben.seeMessage('Digest saved: ');
  const saved = await stage.store.list({ teamId, channelId: opsChannelId });

  await ana.submit(outdated, {});
  const refused = await ana.seeMessage('while your form was open');
  expect(refused.text).toBe(
    [
      "Your changes weren't saved: <@U0BEN00002> changed this digest while your form was open.",
      'Current settings: every day at 8:15 AM (Europe/Berlin) · Pending requests',
      'Run `/belay digest` to edit this digest.',
    ].join('\n'),
  );
  expect(await stage.store.list({ teamId, channelId: opsChannelId })).toEqual(saved);

  await ana.submit(await preview(ana, { time: { input: '10:30' } }), {});
  await ana.seeMessage('Digest saved: every day at 10:30 AM');
});

it('refuses an outdated form that was reopened from its preview', async () => {
  const stage = await startDigests();
  const { ana, ben } = stage;
  await stage.addDigest();
  await ana.press(await preview(ana, { time: { input: '10:30' } }), 'Back');
  const again = await ana.seeDialog('Edit digest');
  await ben.submit(await preview(ben, { time: { input: '08:15' } }), {});
  await ben.seeMessage('Digest saved: ');
  await ana.submit(again, {});
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  await ana.seeMessage('while your form was open');
});
