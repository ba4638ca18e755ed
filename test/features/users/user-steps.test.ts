import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import { NotFoundError } from '../../../src/dataprotection/http/errors.ts';
import { describeFailure } from '../../../src/describe-failure.ts';
import { findUser } from '../../../src/features/users/find-users.ts';
import { snapshotOf } from '../../../src/features/users/stored-user.ts';
import {
  ChangeNotConfirmedError,
  cancelDeletionStep,
  deleteSteps,
  disableStep,
  enableStep,
  renameStep,
} from '../../../src/features/users/user-steps.ts';
import { answerJson, clientOf, errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { userWith } from './sample-users.ts';

const ana = { id: '8', fullName: 'Ana Silva', email: 'ana.silva@example.com' };
const deletion = { ...ana, graceMinutes: 30 };
const limits = { everyMs: 1, timeoutMs: 60_000 };
const disable = (client: ServiceClient) => disableStep(ana).run(client, limits);
const enable = (client: ServiceClient) => enableStep(ana).run(client, limits);
const rename = (client: ServiceClient) =>
  renameStep({ ...ana, newFullName: 'Ana Costa' }).run(client, limits);

test.each([
  ['disable', disable, { id: '8', is_enabled: true }],
  ['enable', enable, { id: '8', is_enabled: false }],
  ['rename', rename, { id: '8', full_name: 'Ana Silva' }],
  ['disable', disable, { id: '8' }],
])('%s is not confirmed if the service answers %3$j', async (_name, execute, answer) => {
  const client = await clientOf((_request, response) => answerJson(response, answer));
  const error = await errorOf(execute(client));
  expect(error).toBeInstanceOf(ChangeNotConfirmedError);
  expect(describeFailure(error)).toContain('The change may have been made.');
});

test.each([
  ['disable', disable, { id: '8', is_enabled: false }],
  ['enable', enable, { id: '8', is_enabled: true }],
  ['rename', rename, { id: '8', full_name: 'Ana Costa' }],
])('%s succeeds if the service answers %3$j', async (_name, execute, answer) => {
  const client = await clientOf((_request, response) => answerJson(response, answer));
  await expect(execute(client)).resolves.toEqual({ state: 'done' });
});

test('no step counts as done for a user who does not exist', async () => {
  const { client } = await openReference();
  const gone = { ...deletion, id: '9999', newFullName: 'Ana Costa' };
  const steps = [disableStep(gone), enableStep(gone), renameStep(gone)];
  expect(
    await Promise.all(steps.map((step) => step.isDone(() => findUser(client, '9999')))),
  ).toEqual([false, false, false]);
});

describe('a deletion', () => {
  test('without a grace period has one step', async () => {
    const [step, ...others] = deleteSteps({ ...deletion, graceMinutes: 0 });
    expect(others).toEqual([]);
    const { client, service, portal } = await openReference();
    expect(await step.isDone(() => findUser(client, '8'))).toBe(false);
    await step.run(client, limits);
    expect(service.user(portal.id, '8')).toBeUndefined();
    expect(await step.isDone(() => findUser(client, '8'))).toBe(true);
  });

  test('with a grace period disables first, and describes the next step and its time', async () => {
    const [first, last] = deleteSteps(deletion);
    expect(first.done).toBe("*Ana Silva*'s account (ana.silva@example.com) is disabled.");
    expect(first.afterMs).toBeUndefined();
    expect(last?.afterMs).toBe(30 * 60_000);
    expect(last?.plan).toBe('The account will be deleted');
    const snapshot = snapshotOf(userWith());
    expect(last?.expects?.(snapshot)).toEqual({ ...snapshot, isEnabled: false });
  });

  test('of a user who is already gone fails, because somebody else deleted them', async () => {
    const [step] = deleteSteps({ ...deletion, id: '9999', graceMinutes: 0 });
    const { client } = await openReference();
    const error = await errorOf(step.run(client, limits));
    expect(error).toBeInstanceOf(NotFoundError);
  });
});

describe('canceling a deletion', () => {
  test('enables a user whom Belay disabled', async () => {
    const { client, service, portal } = await openReference();
    service.changeUser(portal.id, '8', { is_enabled: false });
    const cancel = cancelDeletionStep(deletion, snapshotOf(userWith({ isEnabled: true })));
    expect(await cancel.isDone(() => findUser(client, '8'))).toBe(false);
    await cancel.run(client, limits);
    expect(service.user(portal.id, '8')?.is_enabled).toBe(true);
    expect(await cancel.isDone(() => findUser(client, '8'))).toBe(true);
    expect(cancel.done).toBe(
      "The deletion was canceled. *Ana Silva*'s account (ana.silva@example.com) is enabled again.",
    );
  });

  test.each([
    [false, 'The deletion was canceled.'],
    [undefined, "stays disabled: Belay doesn't know whether the account was enabled before."],
  ])('sends no request if isEnabled was %s before', async (isEnabled, words) => {
    const { client, service } = await openReference();
    const cancel = cancelDeletionStep(deletion, snapshotOf(userWith({ isEnabled })));
    expect(await cancel.isDone(() => findUser(client, '8'))).toBe(true);
    await cancel.run(client, limits);
    expect(service.requests).toEqual([]);
    expect(cancel.done).toContain(words);
  });
});
