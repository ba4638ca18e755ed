import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { apply, openStored } from './apply.ts';

const { world, db } = shareWorldWithDatabase();

test('a setting of a file is announced, however much else the file changes', async () => {
  const { ben } = world();
  const { stored, context } = await openStored(world(), db());
  const words = JSON.stringify(['x', 'y', 'z'].map((letter) => letter.repeat(90)));
  const filters = Array.from(
    { length: 50 },
    (_, at) =>
      `      - {channel: C0OPS00001, owner: ${people.ana}, name: f-${at}, filter: {words: ${words}}}`,
  );
  const file = stored
    .replace(/usersPerHour: \d+/, 'usersPerHour: 2')
    .replace('savedFilters: []', ['savedFilters:', ...filters].join('\n'));
  expect(await apply(file, context)).toEqual({ result: 'applied' });
  const announced = await ben.seeMessage('A Belay administrator changed the setup');
  expect(announced.text).toMatch(/Users.* → 2/);
  expect(JSON.stringify(announced.blocks)).toMatch(/and \d\d more/);
});
