import { beforeEach, describe, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { logOf } from '../../requests/world-with-database.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { sample } from '../../support/sampling.ts';
import { changeSetup } from '../../support/set-up.ts';
import { stageChanges, withRetention } from './change-stage.ts';

describe.each(sample(['documented', 'live'] as const, 1, 2))('in the %s dialect', (dialect) => {
  const units = dialect === 'live' ? 'days' : 'day';
  const stage = stageChanges({ dialect });
  const { world, db } = stage;

  async function request(value: number) {
    const { ana } = world();
    const before = await stage.readNamed('Gold');
    const after = withRetention(before, value, units);
    const reply = await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after });
    expect(reply).toContain('Request sent to');
    return { before, after, message: await stage.newest(ana) };
  }

  const puts = () => world().service.requests.filter(({ method }) => method === 'PUT');
  const stored = () => {
    const { service, portal } = world();
    return service.policies(portal.id).find(({ name }) => name === 'Gold');
  };

  beforeEach(async () => {
    const { cleo } = world();
    if (stageIsReady) return;
    stageIsReady = true;
    await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
  });
  let stageIsReady = false;

  test('a change that weakens takes two approvers', async () => {
    const { ana, ben, cleo } = world();
    const { message } = await request(1);
    expect(JSON.stringify(message.blocks)).toContain('This change weakens protection.');
    await ben.press(message, 'Approve');
    await ana.see(
      () =>
        messagesOf(ana).find(
          (one) =>
            one.messageTs === message.messageTs && JSON.stringify(one).includes(`<@${people.ben}>`),
        ),
      'the first approval',
    );
    expect(puts()).toHaveLength(0);
    await cleo.press(message, 'Approve');
    await seeAgain(ana, message, 'Verified: the service shows exactly what was approved.');
    expect(puts()).toHaveLength(1);
  });

  test('a change shows its consequences, is sent as shown, verified, and can be reverted', async () => {
    const { ana, ben } = world();
    const was = await stage.readNamed('Gold');
    const { message } = await request(365);
    const shown = JSON.stringify(message.blocks);
    expect(shown).toContain('This change strengthens protection.');
    expect(shown).toMatch(/Stronger\* · Schedule 1 \(.*\), SLA 1 · Retention: \d+ days → 365 days/);
    expect(shown).toMatch(/Protected EBS volumes: \S+ · Active alerts: \d+/);

    await ana.press(message, 'View request body');
    const body = await ana.seeDialog('The exact body of the change');
    await ana.close(body);
    await ben.press(message, 'Approve');
    const done = await seeAgain(
      ana,
      message,
      'Verified: the service shows exactly what was approved.',
    );
    expect(done.text).toContain('Policy *Gold* was changed.');
    expect(puts()).toHaveLength(1);
    const sent: unknown = JSON.parse(puts()[0]?.body ?? '');
    expect(readBodyOf(body)).toEqual(sent);
    expect(stored()?.sla_sets[0]?.slas[0]?.retention_duration.value).toBe(365);
    expect(await logOf(db(), message)).toEqual([
      expect.stringContaining('requested'),
      expect.stringContaining('approved'),
      'started belay',
      'completed belay',
    ]);

    expect(buttonTexts(done)).toEqual(['Revert…', 'View policy', 'View request body']);
    await ana.press(done, 'Revert…');
    const form = await ana.seeDialog('is restored to what it was before this change');
    expect(JSON.stringify(form.blocks)).toContain('This change weakens protection.');
    await ana.submit(form, { reason: { input: 'Not needed after all' } });
    const inverse = await ana.see(
      () =>
        messagesOf(ana).find(({ text }) =>
          text.includes('requests approval to revert a change to policy *Gold*'),
        ),
      'the request to revert',
    );
    await approveBy(inverse, [ben, world().cleo]);
    await seeAgain(ana, inverse, 'Policy *Gold* was reverted.');
    const { name, slaSets } = await stage.readNamed('Gold');
    expect({ name, slaSets }).toEqual({ name: was.name, slaSets: was.slaSets });
    await seeAgain(ana, done, 'This change was undone later.');
  });

  test('a policy that changed since the request voids it, and says what differs', async () => {
    const { ana, ben, service, portal } = world();
    const { message } = await request(400);
    const now = stored();
    if (!now) throw new Error('the policy is gone');
    service.changePolicy(portal.id, now.id, { name: 'Gold, changed' });
    await ben.press(message, 'Approve');
    const voided = await seeAgain(ana, message, 'The policy was changed meanwhile');
    expect(voided.text).toContain('Name: Gold → Gold, changed');
    expect(voided.text).toContain('Nothing was changed.');
    expect(puts()).toHaveLength(0);
  });

  test('a newer request voids the waiting one, whose message says so', async () => {
    const { ana } = world();
    const first = await request(401);
    const second = await request(402);
    // This test has no queue of its own.
    await world().belay.sweep();
    const old = await seeAgain(
      ana,
      first.message,
      'A newer request about the same subject replaced',
    );
    expect(buttonTexts(old)).not.toContain('Approve');
    expect(await logOf(db(), first.message)).toContainEqual(expect.stringContaining('superseded'));
    expect(second.message.messageTs).not.toBe(first.message.messageTs);
  });

  test('a request that cannot be posted leaves the waiting one as it is', async () => {
    const { ana, slack } = world();
    const first = await request(403);
    const before = await stage.readNamed('Gold');
    const after = withRetention(before, 404, units);
    slack.failNext('chat.postMessage', 'not_in_channel', 'C0OPS00001');
    const reply = await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after });
    expect(reply).toContain('No request was sent');
    await world().belay.sweep();
    const log = await logOf(db(), first.message);
    expect(log).not.toContainEqual(expect.stringContaining('superseded'));
    const shown = messagesOf(ana).find(({ messageTs }) => messageTs === first.message.messageTs);
    if (!shown) throw new Error('the first request is gone');
    expect(buttonTexts(shown)).toContain('Approve');
  });

  test('a form that was filled with an older policy is refused with the difference', async () => {
    const { ana, service, portal } = world();
    const before = await stage.readNamed('Gold');
    service.changePolicy(portal.id, before.id, { name: 'Other' });
    const after = withRetention(before, 365, units);
    const reply = await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after });
    expect(reply).toContain('The policy was changed meanwhile: Name: Gold → Other');
    expect(reply).toContain('No request was sent.');
    expect(reply).toContain('Agreed on Monday');
  });

  test('no request is made for no change, or for a policy that is gone', async () => {
    const { ana, service, portal } = world();
    const before = await stage.readNamed('Gold');
    const { id: policyId, ...after } = before;
    const same = await stage.submit(ana, { kind: 'replace', policyId, before, after });
    expect(same).toContain("wouldn't change");
    service.removePolicy(portal.id, policyId);
    const changed = withRetention(before, 365, units);
    const gone = await stage.submit(ana, { kind: 'replace', policyId, before, after: changed });
    expect(gone).toContain('Policy *Gold* no longer exists.');
  });

  test('a request says what it affects is unavailable, if the statistics are missing', async () => {
    const { service } = world();
    for (const pathPrefix of [`/policies/definitions/${stored()?.id}/stats`, '/alerts']) {
      service.addFault({ kind: 'status', status: 404 }, { pathPrefix });
    }
    const { message } = await request(365);
    expect(JSON.stringify(message.blocks)).toContain(
      'Protected EBS volumes: unavailable · Active alerts: unavailable',
    );
  });

  test('a service that ignores a field of the PUT is reported', async () => {
    const { ana, ben, service } = world();
    const { message } = await request(366);
    service.ignorePolicyFields(['sla_sets']);
    await ben.press(message, 'Approve');
    const failed = await seeAgain(ana, message, "Couldn't change policy *Gold*.");
    expect(failed.text).toContain('The policy is unchanged.');
    expect(buttonTexts(failed)).not.toContain('Revert…');
  });

  test('a policy that was deleted after the request voids it', async () => {
    const { ana, ben, service, portal } = world();
    const { before, message } = await request(367);
    service.removePolicy(portal.id, before.id);
    await ben.press(message, 'Approve');
    await seeAgain(ana, message, 'was deleted by somebody else');
  });
});

type Pressable = Parameters<ReturnType<typeof stageChanges>['newest']>[0];

/** As many approvals as it takes. */
async function approveBy(
  message: Parameters<Pressable['press']>[0],
  approvers: Pressable[],
): Promise<void> {
  for (const approver of approvers) {
    const now = messagesOf(approver).find(
      (one) => 'messageTs' in message && one.messageTs === message.messageTs,
    );
    if (now && buttonTexts(now).includes('Approve')) await approver.press(now, 'Approve');
  }
}

/** The JSON that the dialog shows. */
function readBodyOf({ blocks = [] }: { blocks?: { type: string }[] }): unknown {
  const text = blocks
    .flatMap((block) => ('text' in block ? [JSON.stringify(block.text)] : []))
    .slice(1)
    .map((json) => {
      const { text: part }: { text: string } = JSON.parse(json);
      return part.replaceAll('```', '');
    })
    .join('');
  return JSON.parse(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
}
