import type { ConversationsSelect } from '@slack/types';
import { expect, test } from 'vitest';
import { conversationChoices } from '../../../../playground/web/elements/choices.ts';
import type { Place } from '../../../../playground/web/workspace-context.ts';

const place = (channelId: string, kind: Place['kind']): Place => ({
  channelId,
  kind,
  name: channelId,
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
