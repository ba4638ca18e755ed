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

test('names in quotation marks are read without them', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay rename “Joana Prado” to "Joana Park"');
  const rename = await ana.seeDialog('joana.prado@example.com');
  expect(shown(rename)).toContain('"initial_value":"Joana Park"');
  await ana.close(rename);
  await ana.send('ops', '/belay disable "Joana Prado" because she left');
  const disable = await ana.seeDialog('joana.prado@example.com');
  expect(shown(disable)).toContain('"initial_value":"she left"');
  await ana.close(disable);
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

test.each([
  ['joana.prado@example.com and ana.silva@example.com'],
  ['joana.prado@example.com, and ana.silva@example.com'],
  ['Joana Prado and Ana Silva'],
  ['@joana prado & ana silva'],
  ['users joana.prado@example.com ana.silva@example.com'],
])('two users and no one else: %s', async (typed) => {
  const { ana } = world();
  await ana.send('ops', `/belay disable ${typed}`);
  const form = await ana.seeDialog('*2 users*');
  expect(shown(form)).toContain('joana.prado@example.com');
  expect(shown(form)).toContain('ana.silva@example.com');
  await ana.close(form);
});

test('"and" between mentions is nobody', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay disable @ben and @ana');
  const problems = await ana.seeDialog("1 user can't be included");
  expect(shown(problems)).toContain('“ana@harbor.example”: No user has this email address.');
  expect(shown(problems)).toContain('Continue without this user: 1 user remaining');
  await ana.close(problems);
});

test('part of a name and other words are nobody in a list', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay disable joana, the account of ana.silva@example.com');
  const problems = await ana.seeDialog("2 users can't be included");
  expect(shown(problems)).toContain('“joana”: No user has this name or ID.');
  expect(shown(problems)).toContain(
    '“the account of ana.silva@example.com”: No user has this email address.',
  );
  await ana.close(problems);
});

test('a name with a number, an "@" or quotation marks is one name', async () => {
  const { ana, service, portal } = world();
  const numbered = service.users(portal.id).find(({ full_name: name }) => / 2$/.test(name));
  await ana.send('ops', `/belay disable ${numbered?.full_name}`);
  await ana.close(await ana.seeDialog(numbered?.email ?? ''));
  await ana.send('ops', '/belay disable @joana prado');
  await ana.close(await ana.seeDialog('joana.prado@example.com'));
  await ana.send('ops', '/belay disable "Brook & Rivers <b>Ltd</b>"');
  await ana.close(await ana.seeDialog('brook.rivers@example.com'));
});
