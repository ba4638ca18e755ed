import { describe, expect, it, test } from 'vitest';
import { helpTopics } from '../../../src/features/help/topics.ts';
import { helpMessage } from '../../../src/features/help/views/help-message.ts';
import { ask, buttonTexts } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

// One person sends more than the limit of a minute.
const world = shareWorld({ callLimits: { command: 1000, click: 1000 } });

test.each(['help', 'HELP', '  help  Help '])('/belay %s lists the topics', async (text) => {
  const { ana, service } = world();
  await ana.send('ops', `/belay ${text}`);
  const help = await ana.seeMessage('What Belay can do');
  expect(help.isEphemeral).toBe(true);
  for (const topic of ['alerts', 'watch', 'digest', 'compliance', 'users', 'requests']) {
    expect(help.text).toContain(`\`/belay ${topic}\``);
  }
  // A phone shows about 15 lines.
  expect(help.text.split('\n').length).toBeLessThan(12);
  expect(service.requests).toEqual([]);
});

describe('/belay alone', () => {
  it('shows active errors, the watch and the digest here, each with a button for the next step', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay');
    const overview = await ana.seeMessage('Overview');
    expect(overview.isEphemeral).toBe(true);
    const count = /\*(?:At least )?(\d+ active errors)\*/.exec(overview.text)?.[1] ?? '';
    expect(overview.text).toContain('*No watches in this channel*');
    expect(overview.text).toContain('*No digests in this channel*');
    expect(overview.text).toMatch(
      /Compliance: no recent reading|% of (?:protected|checked) volumes compliant/,
    );
    expect(overview.text).not.toContain('to decide');
    expect(buttonTexts(overview)).toEqual([
      `View ${count.replace('active ', '')}`,
      'View compliance',
      'Watch here',
      'Schedule a digest',
      'Find a user',
      'Help',
    ]);
    await ana.press(overview, 'Watch here');
    await ana.close(await ana.seeDialog('Severity'));
    await ana.press(overview, 'Schedule a digest');
    await ana.close(await ana.seeDialog('Time zone'));
    await ana.press(overview, 'Find a user');
    await ana.seeMessage('1-15 of 240');
    await ana.press(overview, `View ${count.replace('active ', '')}`);
    await ana.seeMessage('Active alerts');
    await ana.press(overview, 'Help');
    await ana.press(await ana.seeMessage('What Belay can do'), 'Requests');
    await ana.seeMessage('/belay requests waiting');
  });

  it('shows an approver the requests to decide, but not their own', async () => {
    const { ana, ben } = world();
    await ask(ana, '/belay disable joana.prado@example.com');
    await ben.send('ops', '/belay');
    const forBen = await ben.seeMessage('Overview');
    expect(buttonTexts(forBen)[0]).toMatch(/^Review \d requests?$/);
    expect(forBen.text).toMatch(
      /request to decide\*\n• disable \*Joana Prado\*.* · requested by <@U0ANA00001> · <https:\/\/[^|>]+\|View request>/,
    );
    await ana.send('ops', '/belay');
    const forAna = await ana.seeMessage('Overview');
    expect(forAna.text).not.toContain('to decide');
    expect(forAna.text).toMatch(
      /\*\d open requests? of yours\*\n• ⏳ Pending · disable \*Joana Prado\*/,
    );
    await ana.press(forAna, 'View my requests');
    await ana.seeMessage('Withdraw');
    await ana.send('ops', '/belay approve');
    await ana.seeMessage("You aren't an approver in this workspace.");
  });

  it.each([
    ['fails', { kind: 'status', status: 503 }, 'The service returned a server error.'],
    ['does not answer', { kind: 'hang' }, 'Overview'],
  ] as const)('answers in time while the service %s', async (_, fault, words) => {
    const { ana, service } = world();
    service.setFault(fault);
    await ana.send('ops', '/belay');
    const overview = await ana.seeMessage(words);
    expect(overview.text).not.toContain('active errors*');
    expect(overview.text).toContain('*No watches in this channel*');
    expect(buttonTexts(overview)).toContain('Watch here');
  });
});

test('/belay help explains each topic with two examples', async () => {
  const { cleo } = world();
  for (const { name, title, examples } of helpTopics) {
    await cleo.send('ops', `/belay help ${name}`);
    const topic = await cleo.seeMessage(`*Examples*\n\`${examples[0]}\`\n\`${examples[1]}\``);
    expect(topic.text).toContain(title);
    expect(topic.text).toContain(`\`/belay ${name}`);
  }
});

test('each topic of the short help has a button', () => {
  expect(buttonTexts(helpMessage(helpTopics))).toEqual(helpTopics.map(({ title }) => title));
});

test('/belay help says that a topic is for admins', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay help setup');
  await ana.seeMessage('`/belay setup` is for admins.');
});

test('/belay help explains filters, orders and events in words', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay help alerts');
  const alerts = await ana.seeMessage('*Filters*, in any order');
  expect(alerts.text).toContain('With spaces: `policy:"Databases, hourly"`');
  expect(alerts.text).toContain('`sort:-severity` · most severe first');
  await ana.send('ops', '/belay help audit');
  await ana.seeMessage('`/belay audit` is for auditors and admins.');
  await ben.send('ops', '/belay help audit');
  const audit = await ben.seeMessage('*Events*');
  expect(audit.text).toContain('`denied` · an approver denied a request');
  expect(audit.text).toContain("`refused` · Belay refused an attempt that wasn't allowed");
  expect(audit.text).toContain('`canceled` · the cancellation of a deletion was completed');
  expect(audit.text).not.toMatch(/outcome_unknown/);
});

test('a direct message and a mention are answered with the short help', async () => {
  const { ana } = world();
  await ana.send('Belay', 'hello');
  const answer = await ana.seeMessage('What Belay can do');
  expect(answer.isEphemeral).toBe(false);
  await ana.send('ops', '@Belay help');
  const inChannel = await ana.see(({ conversations }) =>
    conversations
      .find(({ name }) => name === 'ops')
      ?.messages.find(({ text }) => text.includes('What Belay can do')),
  );
  expect(inChannel.isEphemeral).toBe(true);
});

describe('a direct message', () => {
  test('is understood like a command', async () => {
    const { ana } = world();
    await ana.send('Belay', 'show me errors');
    expect((await ana.seeMessage('Active alerts')).isEphemeral).toBe(false);
    await ana.send('Belay', 'who is kim lee');
    await ana.seeMessage('2 users match “kim lee”');
    await ana.send('ops', '@Belay policies');
    await ana.seeMessage('Gold');
  });

  test('that would change something asks first', async () => {
    const { ana } = world();
    await ana.send('Belay', 'watch errors here please');
    const question = await ana.seeMessage('Run this? `/belay watch errors`');
    await ana.press(question, '/belay watch errors');
    await ana.seeMessage('Watch added.');
  });

  test('that asks for a form is answered with a button that opens it', async () => {
    const { ana } = world();
    await ana.send('Belay', 'new digest');
    const answer = await ana.seeMessage('This opens a form: `/belay digest new`');
    await ana.press(answer, '/belay digest new');
    await ana.close(await ana.seeDialog('Time zone'));
  });
});

test('/belay help finds the topic of a subcommand, and suggests one for a typo', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay help disable');
  expect((await ana.seeMessage('*Examples*')).text).toContain('/belay rename');
  await ana.send('ops', '/belay help alrets');
  await ana.seeMessage('Unknown topic `alrets`. Did you mean this? `/belay help alerts`');
});

test('the audit log is listed for approvers and admins only', async () => {
  const { ana, ben, cleo } = world();
  await ana.send('ops', '/belay help');
  expect((await ana.seeMessage('What Belay can do')).text).not.toContain('/belay audit');
  for (const reader of [ben, cleo]) {
    await reader.send('ops', '/belay help');
    expect((await reader.seeMessage('What Belay can do')).text).toContain('/belay audit');
  }
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
    ['complience Gold', 'compliance Gold'],
    ['dissable ana', 'disable ana'],
    ['remane ana', 'rename ana'],
    ['comp', 'compliance'],
    ['hepl', 'help'],
    ['hlep', 'help'],
    ['halp', 'help'],
  ])('%s: did you mean %s?', async (typed, meant) => {
    const { ana } = world();
    await ana.send('ops', `/belay ${typed}`);
    const message = await ana.seeMessage(`Did you mean this? \`/belay ${meant}\``);
    expect(message.text).toContain(`Unknown command \`${typed.split(' ')[0]}\`.`);
    expect(message.isEphemeral).toBe(true);
    expect(buttonTexts(message)).toEqual([`/belay ${meant}`]);
  });

  test('its button runs the line that was meant, also one that opens a form', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policis gold');
    await ana.press(await ana.seeMessage('Did you mean this?'), '/belay policies gold');
    await ana.seeMessage('Gold');
    await ana.send('ops', '/belay dissable kim.lee@example.com because she left');
    const suggestion = await ana.seeMessage('Unknown command `dissable`');
    const [run = ''] = buttonTexts(suggestion);
    await ana.press(suggestion, run);
    const form = await ana.seeDialog('Kim Lee');
    expect(JSON.stringify(form)).toContain('"initial_value":"she left"');
    await ana.close(form);
  });

  test.each(['zzyzxq', '42', '🚨', '<!channel>', 'x'.repeat(2000), 'deleted users', 'renamed kim'])(
    '%s gets no suggestion',
    async (typed) => {
      const { ana } = world();
      await ana.send('ops', `/belay ${typed}`);
      const message = await ana.seeMessage('Unknown command `');
      expect(message.text).not.toContain('Did you mean');
      expect(message.text).toContain('`/belay help`');
      expect(JSON.stringify(message)).not.toContain('<!channel>');
    },
  );

  test('setup is suggested to admins only', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay setpu');
    expect((await ana.seeMessage('Unknown command `setpu`')).text).not.toContain('/belay setup');
  });
});
