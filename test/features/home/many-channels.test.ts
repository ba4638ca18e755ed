import { expect, it } from 'vitest';
import { watchesIn } from '../../postings/outbox/watch-rows.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { textsOf } from '../message-parts.ts';

const { world, db } = shareWorldWithDatabase();

it("lists a person's channels however many others have watches in direct messages", async () => {
  const { ana, workspace } = world();
  const { add } = watchesIn(db());
  for (let index = 10; index < 61; index += 1) {
    const other = { teamId: workspace.teamId, createdBy: `U0OTHER${index}` };
    await add({ ...other, channelId: `D0OTHER${index}` });
    await add({ ...other, channelId: `D0OTHER${index}` });
  }
  await ana.send('random', '/belay watch all');
  await ana.seeMessage('Watch added.');
  await ana.openHome();
  const home = await ana.seeHome('Your channels');
  expect(textsOf(home.blocks).join('\n')).toContain('<#C0RANDOM03> · 1 watch');
});
