import { expect, test } from 'vitest';
import { describeFailure } from '../../../src/features/failure-reply.ts';
import { userActions } from '../../../src/features/users/user-actions.ts';
import { ChangeNotConfirmedError } from '../../../src/features/users/users.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';

const payload = { id: '8', newFullName: 'Ana Costa' };

function bound(name: string) {
  const action = userActions.find((one) => one.name === name);
  if (!action) throw new Error(`no action ${name}`);
  return action.bind(payload);
}

test.each([
  ['users.disable', { id: '8', is_enabled: true }],
  ['users.enable', { id: '8', is_enabled: false }],
  ['users.rename', { id: '8', full_name: 'Ana Silva' }],
  ['users.disable', { id: '8' }],
])('%s is not said to be done when the service answers %j', async (name, answer) => {
  const client = await clientOf((_request, response) => answerJson(response, answer));
  const error: unknown = await bound(name)
    .execute(client)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ChangeNotConfirmedError);
  expect(describeFailure(error)).toContain('It is not known whether the change was made');
});

test.each([
  ['users.disable', { id: '8', is_enabled: false }],
  ['users.enable', { id: '8', is_enabled: true }],
  ['users.rename', { id: '8', full_name: 'Ana Costa' }],
])('%s is done when the service answers %j', async (name, answer) => {
  const client = await clientOf((_request, response) => answerJson(response, answer));
  await expect(bound(name).execute(client)).resolves.toBeUndefined();
});
