import { describe, expect, test } from 'vitest';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

test.each(['', 'help', 'HELP', '  help  me '])('/belay %s lists the subcommands', async (text) => {
  const { ana, service } = world();
  await ana.send('ops', `/belay ${text}`);
  const help = await ana.seeMessage('What Belay can do');
  expect(help.isEphemeral).toBe(true);
  const shown = JSON.stringify(help.blocks);
  for (const usage of [
    'alerts',
    'compliance',
    'users <',
    'disable <user>',
    'enable <user>',
    'rename <user>',
    'delete <user>',
    'help',
  ]) {
    expect(shown).toContain(`/belay ${usage.replace('<', '&lt;').replace('>', '&gt;')}`);
  }
  expect(service.requests).toEqual([]);
});

test('setup is listed for admins only', async () => {
  const { ana, cleo } = world();
  await ana.send('ops', '/belay help');
  expect(JSON.stringify(await ana.seeMessage('What Belay can do'))).not.toContain('/belay setup');
  await cleo.send('ops', '/belay help');
  expect(JSON.stringify(await cleo.seeMessage('What Belay can do'))).toContain('/belay setup');
});

describe('a mistyped command', () => {
  test.each([
    ['alrts', 'alerts'],
    ['Alert', 'alerts'],
    ['complience', 'compliance'],
    ['user ana', 'users'],
    ['dissable ana', 'disable'],
    ['remane ana', 'rename'],
    ['comp', 'compliance'],
  ])('%s: did you mean %s?', async (typed, meant) => {
    const { ana, service } = world();
    await ana.send('ops', `/belay ${typed}`);
    const told = await ana.seeMessage(`Did you mean \`/belay ${meant}\`?`);
    expect(told.text).toContain(`Belay does not know \`${typed.split(' ')[0]}\`.`);
    expect(told.isEphemeral).toBe(true);
    expect(service.requests).toEqual([]);
  });

  test.each(['zzyzxq', '42', '🚨', '<!channel>', 'x'.repeat(2000)])(
    '%s gets no suggestion',
    async (typed) => {
      const { ana } = world();
      await ana.send('ops', `/belay ${typed}`);
      const told = await ana.seeMessage('Belay does not know `');
      expect(told.text).not.toContain('Did you mean');
      expect(told.text).toContain('`/belay help`');
      expect(JSON.stringify(told)).not.toContain('<!channel>');
    },
  );

  test('setup is suggested to admins only', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay setpu');
    expect((await ana.seeMessage('Belay does not know `setpu`')).text).not.toContain(
      '/belay setup',
    );
  });
});
