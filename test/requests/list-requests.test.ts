import { expect, it } from 'vitest';
import { people } from '../../playground/people.ts';
import { textsOf } from '../features/message-parts.ts';
import { ask, buttonTexts, heardBack, seeAgain } from '../support/ask.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();

async function list(person: ReturnType<typeof world>['ana'], title: string) {
  await person.send('ops', '/belay requests');
  const shown = await person.seeMessage(title);
  return { shown, lines: textsOf(shown.blocks) };
}

it('lists what an approver can decide first, with requester, deadline and a link', async () => {
  const { ana, ben, cleo } = world();
  const empty = await list(ben, 'No open requests');
  expect(empty.shown.isEphemeral).toBe(true);
  const email = 'joana.prado@example.com';
  const deletion = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(deletion, 'Approve');
  const scheduled = await seeAgain(ben, deletion, 'Scheduled');
  const other = await ask(cleo, '/belay disable sven.moreau@example.com');

  const { lines } = await list(ben, '*2 open requests* · 1 you can decide');
  const place = `${other.channelId}/p${other.messageTs.replace('.', '')}`;
  const link = `<https://harbor-ops.slack.com/archives/${place}|View request>`;
  expect(lines[1]).toBe('*Waiting for your decision*');
  expect(lines[2]).toMatch(
    /^Disable \*Sven Moreau\*.* · ⏳ Pending · requested by <@U0CLEO0003> · expires <!date\^/,
  );
  expect(lines[2]).toContain(link);
  expect(lines[3]).toBe('*Other requests*');
  expect(lines[4]).toMatch(
    /^Delete \*Joana Prado\*.* · 🕒 Scheduled · requested by <@U0ANA00001> · next step <!date\^/,
  );

  // An admin who is no approver sees them too, without a mark.
  const forCleo = await list(cleo, '*2 open requests*');
  expect(forCleo.lines).toContain('*Your requests*');
  expect(forCleo.lines.join('\n')).not.toContain('Waiting for your decision');

  const mine = await list(ana, '*1 open request*');
  expect(mine.lines.join('\n')).not.toContain('Sven Moreau');
  expect(mine.lines.at(-1)).toContain(
    "Only approvers, auditors and admins can see other people's requests.",
  );
  await ben.press(scheduled, 'Cancel deletion');
  await seeAgain(ben, deletion, 'Canceled:');
  await ana.press(mine.shown, 'Refresh');
  await ana.seeMessage('You have no open requests');
  await ben.press(other, 'Approve');
  await heardBack(cleo);
});

it('has ten on a page, and a page that no longer exists is the first', async () => {
  const { ana, ben, service, portal } = world();
  const enabled = service.users(portal.id).filter(({ is_enabled }) => is_enabled);
  for (const { email } of enabled.slice(5, 17)) {
    await ask(ana, `/belay disable ${email}`);
  }
  const first = await list(ben, '*12 open requests* · 1-10 of 12 · 12 you can decide');
  expect(first.lines.filter((line) => line.includes(' · ⏳ Pending · '))).toHaveLength(10);
  expect(buttonTexts(first.shown).slice(-2)).toEqual(['Next', 'Refresh']);
  await ben.press(first.shown, 'Next');
  const second = await ben.seeMessage('11-12 of 12');
  expect(buttonTexts(second).slice(-2)).toEqual(['Previous', 'Refresh']);
  await ben.press(second, 'Previous');
  await ben.seeMessage('1-10 of 12');
});

it('shows the requests of one person', async () => {
  const { ana, ben, cleo } = world();
  await ask(ana, '/belay disable joana.prado@example.com');
  await ben.send('ops', '/belay requests @Ana');
  const list = await ben.seeMessage(/open requests?\* by/);
  expect(list.text).toContain(`by <@${people.ana}>`);
  expect(list.text).toContain(`Command: \`/belay requests\` <@${people.ana}>`);
  await cleo.send('ops', '/belay requests @Ben');
  await cleo.seeMessage(`*No open requests by* <@${people.ben}>`);
});
