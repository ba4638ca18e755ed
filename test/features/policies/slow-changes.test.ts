import { describe, expect, test } from 'vitest';
import { seeAgain } from '../../support/ask.ts';
import { stageChanges, withRetention } from './change-stage.ts';

async function requestOn(stage: ReturnType<typeof stageChanges>, units: string) {
  const { ana } = stage.world();
  const before = await stage.readNamed('Gold');
  const after = withRetention(before, 365, units);
  await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after });
  return { before, message: await stage.newest(ana) };
}

function retentionOf(stage: ReturnType<typeof stageChanges>): number | undefined {
  const { service, portal } = stage.world();
  const gold = service.policies(portal.id).find(({ name }) => name === 'Gold');
  return gold?.sla_sets[0]?.slas[0]?.retention_duration.value;
}

describe('a change that the live service makes in the background', () => {
  const stage = stageChanges({ dialect: 'live' });
  const { world } = stage;
  const puts = () => world().service.requests.filter(({ method }) => method === 'PUT');

  test.each(['failed', 'aborted'] as const)('is reported if its task %s', async (outcome) => {
    const { ana, ben, service } = world();
    const { message } = await requestOn(stage, 'days');
    const was = retentionOf(stage);
    service.setTaskTimings({ delayMs: 0, outcome });
    await ben.press(message, 'Approve');
    const failed = await seeAgain(ana, message, 'complete the change: task');
    expect(failed.text).toContain("Couldn't change policy *Gold*.");
    expect(failed.text).toContain('The policy is unchanged.');
    expect(retentionOf(stage)).toBe(was);
    expect(puts()).toHaveLength(1);
  });

  test('is followed beyond one attempt, and verified at its end', async () => {
    const { ana, ben, service } = world();
    const { message } = await requestOn(stage, 'days');
    service.setTaskTimings({ reads: 1_000_000 });
    await ben.press(message, 'Approve');
    const waiting = await seeAgain(ana, message, 'is still running');
    expect(waiting.text).toContain("Belay doesn't know yet whether the change was made");
    service.finishTasks();
    await stage.sweepUntil(ana, message, 'Verified: the service shows exactly what was approved.');
    expect(puts()).toHaveLength(1);
  });

  test('stays unknown if its task never ends, and says so', async () => {
    const { ana, ben, service } = world();
    const { message } = await requestOn(stage, 'days');
    service.setTaskTimings({ reads: 1_000_000 });
    await ben.press(message, 'Approve');
    await seeAgain(ana, message, 'is still running');
    const left = await stage.sweepUntil(ana, message, "Check the service's portal.", 600_000);
    expect(left.text).toContain('Another change to the policy is in progress.');
    expect(puts()).toHaveLength(1);
  });

  test('is verified by the policy itself if its task answers 404', async () => {
    const { ana, ben, service } = world();
    const { message } = await requestOn(stage, 'days');
    service.setFault({ kind: 'status', status: 404 }, { pathPrefix: '/tasks' });
    await ben.press(message, 'Approve');
    await stage.sweepUntil(ana, message, 'Verified: the service shows exactly what was approved.');
    service.setFault(undefined);
    expect(puts()).toHaveLength(1);
  });

  test('waits while the policy is locked, says so, and is made once the lock ends', async () => {
    const { ana, ben, service, portal } = world();
    const { before, message } = await requestOn(stage, 'days');
    service.changePolicy(portal.id, before.id, { lock_status: 'updating' });
    await ben.press(message, 'Approve');
    const waiting = await seeAgain(ana, message, 'Another change to the policy is in progress.');
    expect(waiting.text).toContain('Belay tries again');
    expect(puts()).toHaveLength(0);
    service.changePolicy(portal.id, before.id, { lock_status: 'unlocked' });
    await stage.sweepUntil(ana, message, 'Verified: the service shows exactly what was approved.');
    expect(puts()).toHaveLength(1);
  });

  test('fails, with nothing changed, if the lock does not end', async () => {
    const { ana, ben, service, portal } = world();
    const { before, message } = await requestOn(stage, 'days');
    service.changePolicy(portal.id, before.id, { lock_status: 'deleting' });
    await ben.press(message, 'Approve');
    await seeAgain(ana, message, 'Belay tries again');
    const failed = await stage.sweepUntil(ana, message, 'Belay waited for', 600_000);
    expect(failed.text).toContain('Nothing was changed.');
    expect(puts()).toHaveLength(0);
  });

  test('waits after a conflict, and is void once the other change shows', async () => {
    const { ana, ben, service, portal } = world();
    const { before, message } = await requestOn(stage, 'days');
    service.setFault({ kind: 'status', status: 409 }, { method: 'PUT', times: 1 });
    service.changePolicy(portal.id, before.id, {});
    await ben.press(message, 'Approve');
    const failed = await seeAgain(ana, message, 'conflict with another change');
    expect(failed.text).toContain('Nothing was changed.');
    expect(retentionOf(stage)).not.toBe(365);
  });
});

describe('on a documented service', () => {
  const stage = stageChanges({ dialect: 'documented' });
  const { world } = stage;

  test('a change waits after a conflict, because the service does not say what is locked', async () => {
    const { ana, ben, service } = world();
    const { message } = await requestOn(stage, 'day');
    service.setFault({ kind: 'status', status: 409 }, { method: 'PUT' });
    await ben.press(message, 'Approve');
    await seeAgain(ana, message, 'Belay tries again');
    service.setFault(undefined);
    await stage.sweepUntil(ana, message, 'Verified: the service shows exactly what was approved.');
    expect(retentionOf(stage)).toBe(365);
  });

  test('a change whose answer is lost is found, and not sent again', async () => {
    const { ana, ben, service } = world();
    const { message } = await requestOn(stage, 'day');
    service.setFault({ kind: 'reset', afterActing: true }, { method: 'PUT' });
    await ben.press(message, 'Approve');
    await stage.sweepUntil(ana, message, 'Verified: the service shows exactly what was approved.');
    service.setFault(undefined);
    expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  test("a change that Belay may have sent is not reported as somebody else's", async () => {
    const { ana, ben, service, portal } = world();
    const { before, message } = await requestOn(stage, 'day');
    service.setFault({ kind: 'status', status: 500, afterActing: true }, { method: 'PUT' });
    service.setOnHandled(({ method }) => {
      if (method === 'PUT') {
        service.changePolicy(portal.id, before.id, { name: 'Gold, adjusted' });
      }
    });
    await ben.press(message, 'Approve');
    const failed = await stage.sweepUntil(ana, message, 'Belay may have sent the change.');
    expect(failed.text).toContain("Couldn't change policy");
    expect(failed.text).toContain('Gold, adjusted');
    expect(failed.text).not.toContain('Nothing was changed');
    expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    service.setOnHandled(undefined);
  });
});

describe('on a service that shows no policies', () => {
  const stage = stageChanges({ dialect: 'documented', listsPolicies: false });

  test('changes are refused with the reason', async () => {
    const { ana } = stage.world();
    const before = { id: 'p1', name: 'Gold', slaSets: [], otherFields: {} };
    const after = { name: 'Gold', slaSets: [{ operation: 'x', slas: [] }] };
    const reply = await stage.submit(ana, { kind: 'replace', policyId: 'p1', before, after });
    expect(reply).toContain("This service doesn't let Belay read policies");
    expect(reply).toContain('You can create policies');
  });
});
