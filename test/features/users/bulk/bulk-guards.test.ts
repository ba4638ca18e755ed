import { expect, test } from 'vitest';
import { people } from '../../../../playground/people.ts';
import { createAppendEntry } from '../../../../src/audit-log/append.ts';
import { erasePersonalText } from '../../../../src/audit-log/erase-personal-text.ts';
import { approvableActions } from '../../../../src/features/actions/index.ts';
import { createEraseRequests } from '../../../../src/requests/store/erase-requests.ts';
import { shareWorldWithDatabase } from '../../../requests/world-with-database.ts';
import { aReason, heardBack, messagesOf, seeAgain } from '../../../support/ask.ts';
import { addressesOf, requestBulk, reviewBulk, someUsers } from './request-bulk.ts';

const { world, db } = shareWorldWithDatabase({ dialect: 'live' });

test('the last two administrators are not requested together', async () => {
  const { ana, service, portal } = world();
  const [owner] = service.users(portal.id);
  const [other] = someUsers(world(), 1);
  const text = [owner?.email, 'zoe.fischer@example.com', other?.email].join(' ');
  await ana.send('ops', '/belay bulk disable');
  await ana.submit(await ana.seeDialog('Enter or paste'), { users: { input: text } });
  const problems = await ana.seeDialog("2 users can't be included");
  const words = JSON.stringify(problems.blocks);
  expect(words.match(/This is the last enabled administrator/g)).toHaveLength(2);
  await ana.press(problems, 'Continue without these 2', { users: { input: text } });
  const review = await ana.seeDialog('Visible to everyone who can see');
  expect(JSON.stringify(review.blocks)).toContain('*1 user*');
  await ana.close(review);
});

test('a user who changed meanwhile is not changed, and the others are', async () => {
  const { ana, ben, service, portal } = world();
  const [changed, ...others] = someUsers(world(), 3);
  const request = await requestBulk(world(), 'disable', someUsers(world(), 3));
  service.changeUser(portal.id, changed?.id ?? '', { full_name: 'Somebody Else' });
  await ben.press(request, 'Approve');
  const done = await seeAgain(ana, request, 'Partly completed');
  expect(done.text).toContain('2 disabled · 1 not changed');
  expect(JSON.stringify(done.blocks)).toContain('Not changed: Name changed from');
  await heardBack(ana);
  expect(service.user(portal.id, changed?.id ?? '')?.is_enabled).toBe(true);
  for (const { id } of others) expect(service.user(portal.id, id)?.is_enabled).toBe(false);
});

test('a request that only its subjects could approve is not posted', async () => {
  const { ana } = world();
  const ben = { email: 'ben@harbor.example' };
  const review = await reviewBulk(world(), 'disable', addressesOf([ben, ...someUsers(world(), 1)]));
  expect(JSON.stringify(review.blocks)).toContain('This request would be refused right now.');
  await ana.submit(review, { reason: { input: aReason } });
  const refused = await ana.seeMessage('No request was sent');
  expect(refused.text).toContain('This request is about');
  expect(messagesOf(ana).filter(({ isEphemeral }) => !isEphemeral)).toEqual([]);
});

test('erasing the entries about one user erases the request that names them all', async () => {
  const { ana, ben } = world();
  const users = someUsers(world(), 6).slice(0, 2);
  const request = await requestBulk(world(), 'disable', users);
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Completed');
  await heardBack(ana);
  const rows = await db()
    .selectFrom('audit_log')
    .select(['team_id', 'seq'])
    .where('subject_id', '=', users[0]?.id ?? '')
    .execute();
  const append = createAppendEntry([
    Buffer.from(world().env.BELAY_ENCRYPTION_KEYS ?? '', 'base64'),
  ]);
  const onErased = createEraseRequests(approvableActions);
  await erasePersonalText(
    { db: db(), append, onErased },
    {
      teamId: rows[0]?.team_id ?? '',
      entries: rows.map(({ seq }) => seq),
      at: new Date(),
      by: { actor: people.cleo },
    },
  );
  const stored = await db()
    .selectFrom('run')
    .innerJoin('approval', 'approval.id', 'run.approval_id')
    .select(['payload', 'snapshot', 'reason'])
    .where('message_ts', '=', request.messageTs)
    .where('subject_id', '=', users[0]?.id ?? '')
    .execute();
  expect(stored).toHaveLength(1);
  for (const row of stored) {
    expect(JSON.stringify(row)).not.toContain(users[0]?.email);
    expect(row).toMatchObject({ snapshot: null, reason: '[erased]' });
  }
});
