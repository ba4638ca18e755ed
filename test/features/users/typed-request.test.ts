import { expect, test } from 'vitest';
import { ask, withdraw } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const shown = (view: unknown) => JSON.stringify(view);

test('the form is filled from what was typed: the reason and the new name', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay rename ana.silva@example.com to Ana Prado because she married');
  const rename = await ana.seeDialog('Ana Silva');
  expect(shown(rename)).toContain('"initial_value":"Ana Prado"');
  expect(shown(rename)).toContain('"initial_value":"she married"');
  await ana.close(rename);
});

test('what was typed stays while several users match', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay disable kim lee because of the audit');
  const choice = await ana.seeDialog('2 users match “kim lee”.');
  await ana.press(choice, 'Select', {});
  const form = await ana.seeDialog('Reason');
  expect(shown(form)).toContain('"initial_value":"of the audit"');
  await ana.close(form);
});

test('what was typed stays when the same change is requested anyway', async () => {
  const { ana } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  await ana.send('ops', '/belay disable joana.prado@example.com because of the audit');
  await ana.press(await ana.seeDialog('already requested approval'), 'Request anyway…');
  const form = await ana.seeDialog('Reason');
  expect(shown(form)).toContain('"initial_value":"of the audit"');
  await ana.close(form);
  await withdraw(ana, request);
});

test('names that are separated by commas are several users', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay disable joana prado, Ana Silva because they left');
  const form = await ana.seeDialog('*2 users*');
  expect(shown(form)).toContain('joana.prado@example.com');
  expect(shown(form)).toContain('ana.silva@example.com');
  expect(shown(form)).toContain('"initial_value":"they left"');
  await ana.close(form);
  await ana.send('ops', '/belay disable kim lee, nobody atall, joana prado');
  const problems = await ana.seeDialog("2 users can't be included");
  expect(shown(problems)).toContain('“kim lee”: 2 users have this name. Use one of these IDs:');
  expect(shown(problems)).toContain('“nobody atall”: No user has this name or ID.');
  await ana.close(problems);
});

test('a reason that follows "bulk" is no name', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay bulk disable joana prado, ana silva because they left');
  const form = await ana.seeDialog('*2 users*');
  expect(shown(form)).toContain('"initial_value":"they left"');
  await ana.close(form);
  await ana.send('ops', '/belay disable users because they left');
  const empty = await ana.seeDialog('Enter or paste');
  expect(shown(empty)).not.toContain('they left');
  await ana.close(empty);
});

test('"me" is the user with the email address of the person', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay disable me');
  await ana.close(await ana.seeDialog('ana@harbor.example'));
});
