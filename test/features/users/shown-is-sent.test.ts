import { expect, test } from 'vitest';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { ask, fillForm, heardBack, messagesOf, seeAgain } from '../../support/ask.ts';

const { world, db } = shareWorldWithDatabase();
const joana = 'joana.prado@example.com';

function writes() {
  return world()
    .service.requests.filter(({ method }) => method !== 'GET')
    .map(({ body }) => JSON.parse(body));
}

test.each(['Joana  Lima', 'Joana\u00a0Lima', ' Joana \u2003Lima\n'])(
  'a rename to %j shows and sends single spaces',
  async (typed) => {
    const { ana, ben } = world();
    const request = await ask(ana, `/belay rename ${joana}`, { fullName: { input: typed } });
    expect(request.text).toContain('to *Joana Lima*.');
    await ben.press(request, 'Approve');
    await heardBack(ana);
    expect(writes()).toEqual([{ full_name: 'Joana Lima' }]);
  },
);

test.each(['Joana\u202eamiL', 'Joana\u200bLima', 'Joana\u2066Lima'])(
  'a rename to %j is refused in the form',
  async (typed) => {
    const { ana, ben } = world();
    const form = await fillForm(ana, `/belay rename ${joana}`, { fullName: { input: typed } });
    await ana.seeDialog(/Remove the invisible character ⟨U\+.{4}⟩\./);
    expect(messagesOf(ben)).toEqual([]);
    await ana.close(form);
  },
);

test('a double space of the service is shown, and can be corrected', async () => {
  const { ana, ben, service, portal } = world();
  const { id = '' } = service.users(portal.id).find(({ email }) => email === joana) ?? {};
  service.changeUser(portal.id, id, { full_name: 'Joana  Prado' });
  const values = { fullName: { input: 'Joana Prado' } };
  const request = await ask(ana, `/belay rename ${joana}`, values);
  expect(request.text).toContain(
    'rename *Joana ⟨U+0020⟩Prado* (joana.prado@example.com) to *Joana Prado*',
  );
  const title = request.blocks?.find(({ type }) => type === 'header');
  expect(title).toMatchObject({
    text: { text: 'Rename Joana ⟨U+0020⟩Prado (joana.prado@example.com) to Joana Prado' },
  });
  await ben.press(request, 'Approve');
  await heardBack(ana);
  expect(writes()).toEqual([{ full_name: 'Joana Prado' }]);
});

test.each([
  ['rename', { newFullName: 'Joana  Lima' }],
  ['rename', { newFullName: 'Joana\u202eamiL' }],
  ['disable', { fullName: 'Kim Lee' }],
  ['delete', { email: 'kim.lee@example.com' }],
  ['disable', { id: '9' }],
])('a %s that would send %j, which the request does not show, is void', async (verb, changed) => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay ${verb} ${joana}`, {
    ...(verb === 'rename' ? { fullName: { input: 'Joana Lima' } } : {}),
    ...(verb === 'delete' ? { email: { input: joana } } : {}),
  });
  const { id, payload } = await db()
    .selectFrom('run')
    .innerJoin('approval', 'approval.id', 'run.approval_id')
    .select(['run.id', 'payload'])
    .where('message_ts', '=', request.messageTs)
    .executeTakeFirstOrThrow();
  await db()
    .updateTable('run')
    .set({ payload: JSON.stringify(Object.assign({}, payload, changed)) })
    .where('id', '=', id)
    .execute();
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, "The request doesn't show exactly what would be sent.");
  await heardBack(ana);
  expect(writes()).toEqual([]);
});
