import type { ConversationsSelect } from '@slack/types';
import { expect, test } from 'vitest';
import type { Conversation } from '../../../../playground/slack/protocol.ts';
import { conversationChoices } from '../../../../playground/web/elements/choices.ts';

const place = (channelId: string, kind: Conversation['kind']): Conversation => ({
  ...{ channelId, kind, name: channelId, unreadCount: 0, messages: [] },
});
const places = [place('C1', 'channel'), place('D1', 'direct')];

test.each<[ConversationsSelect['filter'], string[]]>([
  [undefined, ['C1', 'D1']],
  [{ exclude_bot_users: true }, ['C1', 'D1']],
  [{ include: ['public', 'private'] }, ['C1']],
  [{ include: ['private'] }, []],
  [{ include: ['im'] }, ['D1']],
])('with the filter %j a select offers %j', (filter, offered) => {
  const [group] = conversationChoices(places, filter);
  expect(group?.choices.map(({ value }) => value)).toEqual(offered);
});
