import { expect, inject, test } from 'vitest';
import { ask, buttonTexts, heardBack, seeAgain } from '../support/ask.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { startWorld } from '../support/world.ts';

test('a message that was not recorded is updated when somebody decides', async () => {
  const database = await openFromTemplate(inject('databaseTemplate'));
  const { ana, ben } = await startWorld({ openDatabase: async () => database });
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  // As left by a process that died between posting the message and recording it.
  await database.db.updateTable('approval').set({ message_ts: null }).execute();

  await ben.press(request, 'Approve');
  const done = await seeAgain(ana, request, /is disabled\. Approved by <@U0BEN00002>/);
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
  await heardBack(ana);
});
