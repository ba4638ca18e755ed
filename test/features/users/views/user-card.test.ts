import { expect, it } from 'vitest';
import { userCard } from '../../../../src/features/users/views/user-message.ts';
import { textsOf } from '../../message-parts.ts';
import { openCard, userWith } from '../sample-users.ts';

it('labels known fields, shows timestamps as dates, and names unknown fields as the service does', () => {
  const otherFields = {
    organizational_unit_count: 2,
    created_timestamp: '2026-03-01T10:00:00Z',
    theme: 'dark',
  };
  const texts = textsOf(userCard(userWith({ otherFields }), openCard).blocks);
  expect(texts).toContain('*Organizational units*\n2');
  expect(texts.find((text) => text.startsWith('*created'))).toMatch(/\n<!date\^1772359200\^/);
  expect(texts).toContain('*theme*\ndark');
});

it('shows fields whose names every object has', () => {
  const otherFields = JSON.parse('{"constructor":"a","toString":7,"__proto__":"b"}');
  const texts = textsOf(userCard(userWith({ otherFields }), openCard).blocks);
  expect(texts).toEqual(
    expect.arrayContaining(['*constructor*\na', '*toString*\n7', '*ˍˍprotoˍˍ*\nb']),
  );
});

it('says that a user without a last activity was never active', () => {
  const texts = textsOf(userCard(userWith({ lastActivityTimestamp: undefined }), openCard).blocks);
  expect(texts).toContain('*Last activity*\nnever');
});

it('reads a last activity without a time zone as UTC', () => {
  const user = userWith({ lastActivityTimestamp: '2026-03-01T10:00:00' });
  const texts = textsOf(userCard(user, openCard).blocks);
  expect(texts.find((text) => text.startsWith('*Last activity*'))).toMatch(
    /\n<!date\^1772359200\^/,
  );
});

it('shows a last activity as the service does where it could mean another day', () => {
  const user = userWith({ lastActivityTimestamp: '3/4/2026 10:00' });
  const texts = textsOf(userCard(user, openCard).blocks);
  expect(texts).toContain('*Last activity*\n3/4/2026 10:00');
});

const buttonsOf = (blocks: unknown) => JSON.stringify(blocks).match(/"action_id":"[^"]*"/g) ?? [];

it('offers neither disabling nor deleting a protected user, and says why', () => {
  const protection = 'Protected user: the role *Owner* is protected.';
  const { blocks } = userCard(userWith({}), { ...openCard, protection });
  expect(textsOf(blocks)).toContain(`🔒 ${protection}`);
  expect(buttonsOf(blocks)).toEqual(['"action_id":"users.rename"']);
});

it('offers what the reader may request, and says so if that is nothing', () => {
  const { blocks } = userCard(userWith({}), { ...openCard, verbs: ['delete'] });
  expect(buttonsOf(blocks)).toEqual(['"action_id":"users.delete"']);
  const nothing = userCard(userWith({}), { ...openCard, verbs: [] }).blocks;
  expect(buttonsOf(nothing)).toEqual([]);
  expect(textsOf(nothing)).toContain("You can't request changes to users in this workspace.");
});
