import { expect, test } from 'vitest';
import { checkNamedOwner, checkTokenOwner } from '../../../src/features/users/user-actions.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

const ana = { id: '8', email: 'ana@example.com' };

test.each(['8', ' 8 ', 'ana@example.com', 'Ana+belay@Example.com', ' ANA@example.com '])(
  'refuses a user who is the token owner %j',
  (owner) => {
    const { result, detail } = checkTokenOwner(ana, owner);
    expect(result).toBe('refused');
    expect(detail).toContain("owns Belay's API token");
  },
);

test.each(['9', '08', 'ben@example.com', 'Ana Silva'])('passes if the owner is %j', (owner) => {
  expect(checkTokenOwner(ana, owner)).toEqual({
    label: 'token_owner',
    result: 'passed',
    words: "this user isn't the token owner",
  });
});

test.each([undefined, '', '  '])('is not checkable with an owner of %j', (owner) => {
  expect(checkTokenOwner(ana, owner)).toMatchObject({
    result: 'not_checkable',
    words: 'token owner',
    detail: 'not set in setup',
  });
});

test('is not checkable by address for a user without one, but by id', () => {
  const nameless = { ...ana, email: null };
  expect(checkTokenOwner(nameless, 'ana@example.com')).toMatchObject({
    result: 'not_checkable',
    words: 'token owner',
    detail: 'this user has no email address',
  });
  expect(checkTokenOwner(nameless, '8')).toMatchObject({ result: 'refused' });
  expect(checkTokenOwner(nameless, '9')).toMatchObject({ result: 'passed' });
});

test('is not checkable when the service has no such owner, by address or by id', async () => {
  const { client, service } = await openReference();
  const unknown = {
    result: 'not_checkable',
    words: 'token owner',
    detail: 'no user has the address or ID in setup',
  };
  expect(await checkNamedOwner(client, 'Ana Silva')).toMatchObject(unknown);
  expect(await checkNamedOwner(client, '2')).toBeUndefined();
  expect(await checkNamedOwner(client, 'nobody@example.com')).toMatchObject(unknown);
  expect(await checkNamedOwner(client, 'Ana.Silva+belay@Example.com')).toBeUndefined();
  expect(await checkNamedOwner(client, undefined)).toBeUndefined();
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/users' });
  await expect(checkNamedOwner(client, 'ana.silva@example.com')).rejects.toThrow();
});
