import { expect, test } from 'vitest';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import { validateView } from '../../../playground/slack/validate/view.ts';
import { openFormForId } from '../../../src/features/users/open-request.ts';
import { chooseModal } from '../../../src/features/users/views/request-modal.ts';
import { userListMessage } from '../../../src/features/users/views/user-list-message.ts';
import { userCard } from '../../../src/features/users/views/user-message.ts';
import { createLogger } from '../../../src/logger.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { serviceWith } from '../../dataprotection/reference-service.ts';
import { listen } from '../../slack/interactions/listening.ts';
import { openCard } from './sample-users.ts';

const longId = 'x'.repeat(2500);
const longOne = { id: longId, fullName: 'Long Id', email: 'long@example.com', otherFields: {} };
const other = { id: '8', fullName: 'Ana Silva', email: 'ana@example.com', otherFields: {} };
const found = { users: [longOne, other], isComplete: true };

test('a user whose id is too long for a button is listed without a button', () => {
  const { blocks = [] } = userListMessage(
    { text: 'a', start: 0 },
    { ...found, total: 2 },
    new Map(),
  );
  expect(validateMessage(blocks)).toEqual([]);
  expect(JSON.stringify(blocks).match(/"text":"View user"/g)).toHaveLength(1);
  const choice = chooseModal('a', found, { verb: 'disable', channelId: 'C1' });
  expect(validateView(choice)).toEqual([]);
  expect(JSON.stringify(choice).match(/"text":"Select"/g)).toHaveLength(1);
});

test('a table of users leaves out of its menus whose id is too long for them', () => {
  const others = ['1', '2', '3'].map((id) => ({ ...other, id }));
  const users = [longOne, ...others].map((user) => ({
    ...user,
    isConfirmed: false,
    roles: [{ roleId: 'r1', organizationalUnitIds: [] }],
  }));
  const { blocks = [] } = userListMessage(
    { text: 'a', state: 'invited', start: 0 },
    { users, total: 4, isComplete: true, canInvite: true },
    new Map(),
  );
  expect(validateMessage(blocks)).toEqual([]);
  const menus = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  expect(menus.map((menu) => 'options' in menu && menu.options?.length)).toEqual([3, 3]);
});

test('the card of a user with a long id has no buttons', () => {
  const { blocks = [] } = userCard(longOne, openCard);
  expect(validateMessage(blocks)).toEqual([]);
  expect(JSON.stringify(blocks)).toContain('long@example.com');
  expect(JSON.stringify(blocks)).not.toContain('"button"');
});

test('a change to a user with a long id cannot be requested', async () => {
  const client = await clientOf((_request, response) =>
    answerJson(response, { id: longId, full_name: 'Long Id' }),
  );
  const stage = await listen();
  stage.provide({ openService: async () => serviceWith(client) });
  const call = {
    ...stage.openContext('T1'),
    teamId: 'T1',
    person: { slackUserId: 'U1', isAdmin: false, email: undefined, membership: 'member' as const },
    slack: stage.client,
    log: createLogger('silent'),
  };
  const unasked = async () => undefined;
  const approvals = { askAboutOpen: unasked, warnOfRefusal: unasked, hideUndo: unasked };
  const input = { verb: 'delete' as const, channelId: 'C1' };
  const form = await openFormForId(call, longId, input, approvals);
  expect(validateView(form)).toEqual([]);
  expect(JSON.stringify(form)).toContain('too long for a form in Slack. No request was sent.');
});

test.each([' \n ', '\u202e'])(
  'a name of %j is replaced by the address, or else the id',
  (blank) => {
    const nameless = { ...other, fullName: blank };
    expect(JSON.stringify(userCard(nameless, openCard).blocks?.[0])).toContain(
      '"text":"ana@example.com"',
    );
    expect(userCard(nameless, openCard).text).toMatch(/^ana@example\.com\n/);
    const unknown = userCard({ ...nameless, email: blank }, openCard);
    expect(JSON.stringify(unknown.blocks?.[0])).toContain('"text":"User 8"');
    expect(unknown.text).toMatch(/^User 8\n/);
  },
);
