import { expect, test } from 'vitest';
import type { Message } from '../../../playground/slack/protocol.ts';
import { groupMessages } from '../../../playground/web/threads.ts';

const minute = 60;
const day = 86_400;

function message(seconds: number, changes: Partial<Message> = {}): Message {
  return {
    channelId: 'C1',
    messageTs: seconds.toFixed(6),
    authorId: 'U1',
    authorName: 'Ana',
    isApp: false,
    text: 'Hello',
    isEphemeral: false,
    isEdited: false,
    ...changes,
  };
}

const group = (...messages: Message[]) =>
  groupMessages(messages, (ts) => String(Math.floor(Number(ts) / day)));

test('messages of one author within five minutes are grouped', () => {
  const threads = group(
    message(0),
    message(4 * minute),
    message(10 * minute),
    message(11 * minute, { authorId: 'U2' }),
    message(12 * minute, { authorId: 'U2', isEphemeral: true, visibleTo: 'U1' }),
  );
  expect(threads.map(({ isContinued }) => isContinued)).toEqual([false, true, false, false, false]);
});

test('a day begins with its first message, which is in no group', () => {
  const threads = group(message(day - 1), message(day + 1), message(day + 2));
  expect(threads).toMatchObject([
    { beginsDay: true, isContinued: false },
    { beginsDay: true, isContinued: false },
    { beginsDay: false, isContinued: true },
  ]);
});

test('replies are in the thread of their message, and one without it stands alone', () => {
  const [root, reply] = [message(0), message(1, { threadTs: '0.000000' })];
  const orphan = message(2, { threadTs: '99.000000' });
  expect(group(root, reply, orphan)).toMatchObject([
    { root, replies: [reply] },
    { root: orphan, replies: [], isContinued: false },
  ]);
});
