import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import { ServiceError } from '../../../src/dataprotection/http/errors.ts';
import { describeFailure } from '../../../src/features/describe-failure.ts';
import { ChangeNotConfirmedError } from '../../../src/features/users/change-not-confirmed-error.ts';
import { snapshotOf } from '../../../src/features/users/user-snapshot.ts';
import {
  deleteSteps,
  disableStep,
  enableStep,
  keepStep,
  renameStep,
} from '../../../src/features/users/user-steps.ts';
import { answerJson, clientOf, errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { userWith } from './users-made-up.ts';

const ana = { id: '8', fullName: 'Ana Silva', email: 'ana.silva@example.com' };
const deletion = { ...ana, graceMinutes: 30 };
const disable = (client: ServiceClient) => disableStep.execute(client, ana);
const enable = (client: ServiceClient) => enableStep.execute(client, ana);
const rename = (client: ServiceClient) =>
  renameStep.execute(client, { ...ana, newFullName: 'Ana Costa' });

test.each([
  ['disable', disable, { id: '8', is_enabled: true }],
  ['enable', enable, { id: '8', is_enabled: false }],
  ['rename', rename, { id: '8', full_name: 'Ana Silva' }],
  ['disable', disable, { id: '8' }],
])('%s is not said to be done when the service answers %3$j', async (_name, execute, answer) => {
  const client = await clientOf((_request, response) => answerJson(response, answer));
  const error = await errorOf(execute(client));
  expect(error).toBeInstanceOf(ChangeNotConfirmedError);
  expect(describeFailure(error)).toContain('It is not known whether the change was made');
});

test.each([
  ['disable', disable, { id: '8', is_enabled: false }],
  ['enable', enable, { id: '8', is_enabled: true }],
  ['rename', rename, { id: '8', full_name: 'Ana Costa' }],
])('%s is done when the service answers %3$j', async (_name, execute, answer) => {
  const client = await clientOf((_request, response) => answerJson(response, answer));
  await expect(execute(client)).resolves.toBeUndefined();
});

test('nothing is done to a user who is not there', async () => {
  const { client } = await openReference();
  const gone = { ...deletion, id: '9999', newFullName: 'Ana Costa' };
  const steps = [disableStep, enableStep, renameStep];
  expect(await Promise.all(steps.map((step) => step.isDone(client, gone)))).toEqual([
    false,
    false,
    false,
  ]);
});

describe('a deletion', () => {
  test('without grace is one step', async () => {
    const [step, ...others] = deleteSteps({ ...deletion, graceMinutes: 0 });
    expect(others).toEqual([]);
    const { client, service, portal } = await openReference();
    expect(await step.isDone(client, deletion)).toBe(false);
    await step.execute(client, deletion);
    expect(service.user(portal.id, '8')).toBeUndefined();
    expect(await step.isDone(client, deletion)).toBe(true);
  });

  test('with grace disables at once, and says what will follow when', async () => {
    const [first, last] = deleteSteps(deletion);
    expect(first.done(deletion)).toBe('*Ana Silva* (`ana.silva@example.com`) is disabled.');
    expect(first.afterMs).toBeUndefined();
    expect(last?.afterMs?.(deletion)).toBe(30 * 60_000);
    expect(last?.plan?.(deletion)).toBe('They will be deleted');
    const snapshot = snapshotOf(userWith());
    expect(last?.expects?.(snapshot)).toEqual({ ...snapshot, isEnabled: false });
  });

  test('that finds nobody left to delete is done', async () => {
    const [step] = deleteSteps({ ...deletion, graceMinutes: 0 });
    const { client } = await openReference();
    await expect(step.execute(client, { ...deletion, id: '9999' })).resolves.toBeUndefined();
  });

  test('that the service does not know, of a user whom it knows, is not', async () => {
    const [step] = deleteSteps({ ...deletion, graceMinutes: 0 });
    const client = await clientOf(({ method }, response) =>
      answerJson(response, { id: '8' }, method === 'DELETE' ? 404 : 200),
    );
    expect(await errorOf(step.execute(client, deletion))).toBeInstanceOf(ServiceError);
  });
});

describe('Keep', () => {
  test('enables whom Belay has disabled', async () => {
    const { client, service, portal } = await openReference();
    service.changeUser(portal.id, '8', { is_enabled: false });
    const keep = keepStep(deletion, snapshotOf(userWith({ isEnabled: true })));
    expect(await keep.isDone(client, deletion)).toBe(false);
    await keep.execute(client, deletion);
    expect(service.user(portal.id, '8')?.is_enabled).toBe(true);
    expect(await keep.isDone(client, deletion)).toBe(true);
    expect(keep.done(deletion)).toBe(
      '*Ana Silva* (`ana.silva@example.com`) is kept and enabled again.',
    );
  });

  test.each([
    [false, 'is kept, disabled as before.'],
    [undefined, 'is kept, and stays disabled: it is not known whether they were enabled before.'],
  ])('leaves alone whose state was %s before', async (isEnabled, words) => {
    const { client, service } = await openReference();
    const keep = keepStep(deletion, snapshotOf(userWith({ isEnabled })));
    expect(await keep.isDone(client, deletion)).toBe(true);
    await keep.execute(client, deletion);
    expect(service.requests).toEqual([]);
    expect(keep.done(deletion)).toContain(words);
  });
});
