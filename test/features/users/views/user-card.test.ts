import { expect, it } from 'vitest';
import { userCard } from '../../../../src/features/users/views/user-message.ts';
import { textsOf } from '../../message-parts.ts';
import { userWith } from '../sample-users.ts';

it('labels known fields, shows timestamps as dates, and names unknown fields as the service does', () => {
  const otherFields = {
    organizational_unit_count: 2,
    created_timestamp: '2026-03-01T10:00:00Z',
    theme: 'dark',
  };
  const texts = textsOf(userCard(userWith({ otherFields })).blocks);
  expect(texts).toContain('*Organizational units*\n2');
  expect(texts.find((text) => text.startsWith('*created'))).toMatch(/\n<!date\^1772359200\^/);
  expect(texts).toContain('*theme*\ndark');
});

it('says that a user without a last activity was never active', () => {
  const texts = textsOf(userCard(userWith({ lastActivityTimestamp: undefined })).blocks);
  expect(texts).toContain('*Last activity*\nnever');
});
