import { expect, it } from 'vitest';
import { people } from '../../../playground/people.ts';
import { alertSearchSchema, defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { startDigests, teamId } from './start-digests.ts';

const ops = { teamId, channelId: opsChannelId };

it('a new digest copies a saved filter, or a typed one', async () => {
  const { ana, save, store } = await startSaved({ severities: ['error'], words: ['vm-7'] });
  await ana.send('ops', '/belay digest new morning');
  await save();
  await ana.seeMessage('Digest saved: ');
  await ana.send('ops', '/belay new digest filter:morning severity:warning');
  await save();
  await ana.see(
    ({ conversations }) =>
      conversations
        .flatMap(({ messages }) => messages)
        .filter(({ text }) => text.includes('Digest saved: '))[1],
    'that the second digest was saved',
  );
  const searches = (await store.list(ops)).map(({ settings }) => settings.search);
  expect(searches).toHaveLength(2);
  for (const severity of ['error', 'warning'])
    expect(searches).toContainEqual({ ...defaultSearch, severities: [severity], words: ['vm-7'] });
});

it.each([
  [
    'morning',
    'The saved filter is `/belay alerts since:last`. Remove the status and the time, because',
  ],
  ['evening', 'No saved filter has this name.'],
  ['status:cleared', 'Remove the status and the time, because'],
  ['severity:eror', 'Did you mean `severity:error`?'],
])('a digest is not set up with %s', async (filter, why) => {
  const { ana } = await startSaved({ since: 'last' });
  await ana.send('ops', `/belay digest new ${filter}`);
  await ana.seeMessage(why);
});

it('words about its schedule are left to the form', async () => {
  const { ana } = await startSaved({});
  await ana.send('ops', '/belay new digest every monday');
  await ana.seeDialog('Time zone');
});

async function startSaved(search: Partial<typeof defaultSearch>) {
  const stage = await startDigests();
  const { ana, savedFilters } = stage;
  const saved = {
    owner: people.ana,
    name: 'morning',
    search: alertSearchSchema.parse({ ...defaultSearch, ...search }),
    createdBy: people.ana,
    createdAt: new Date(),
  };
  await savedFilters.save(teamId, saved, undefined);
  return {
    ...stage,
    async save() {
      await ana.submit(await ana.seeDialog('Time zone'), {});
      await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
    },
  };
}
