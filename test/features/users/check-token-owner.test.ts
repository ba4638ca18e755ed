import { expect, test } from 'vitest';
import { checkNamedOwner, checkTokenOwner } from '../../../src/features/users/check-token-owner.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

const ana = { id: '8', email: 'ana@example.com' };

test.each(['8', ' 8 ', 'ana@example.com', 'Ana+belay@Example.com', ' ANA@example.com '])(
  'refuses a user who is the token owner %j',
  (owner) => {
    const { result, detail } = checkTokenOwner(ana, owner);
    expect(result).toBe('refused');
    expect(detail).toContain('owns the API token that Belay works with');
  },
);

test.each(['9', '08', 'ben@example.com', 'Ana Silva'])('passes if the owner is %j', (owner) => {
  expect(checkTokenOwner(ana, owner)).toEqual({
    label: "not the owner of Belay's own token",
    result: 'passed',
    words: "setup names somebody else as the owner of Belay's token",
  });
});

test.each([undefined, '', '  '])('is not checkable with an owner of %j', (owner) => {
  expect(checkTokenOwner(ana, owner)).toMatchObject({
    result: 'not_checkable',
    words: "whether they own Belay's token",
    detail: 'setup does not say whose it is',
  });
});

test('is not checkable by address for a user without one, but by id', () => {
  const nameless = { ...ana, email: null };
  expect(checkTokenOwner(nameless, 'ana@example.com')).toMatchObject({
    result: 'not_checkable',
    words: "whether they own Belay's token",
    detail: 'the service does not tell their e-mail address',
  });
  expect(checkTokenOwner(nameless, '8')).toMatchObject({ result: 'refused' });
  expect(checkTokenOwner(nameless, '9')).toMatchObject({ result: 'passed' });
});

test('is not checkable when the service does not know the owner', async () => {
  const { client } = await openReference();
  const unknown = {
    result: 'not_checkable',
    words: "whether they own Belay's token",
    detail: 'setup names an owner whom the service does not know',
  };
  expect(await checkNamedOwner(client, 'Ana Silva')).toMatchObject(unknown);
  expect(await checkNamedOwner(client, '2')).toBeUndefined();
  expect(await checkNamedOwner(client, 'ana@example.com')).toBeUndefined();
  expect(await checkNamedOwner(client, undefined)).toBeUndefined();
});
