import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import type { PolicyDefinition } from '../../../src/dataprotection/resources/policies.ts';
import { unescapeMrkdwn } from '../../../src/slack/ui/mrkdwn.ts';
import { messagesOf, seeAgain } from '../../support/ask.ts';
import { changeSetup } from '../../support/set-up.ts';
import { stageChanges, withRetention } from './change-stage.ts';

describe.each(dialects)('in the %s dialect', (dialect) => {
  const stage = stageChanges({ dialect });
  const { world } = stage;
  const units = dialect === 'live' ? 'days' : 'day';
  const name = 'Platinum <&> `x` \u202e';

  const sent = (method: string) =>
    world()
      .service.requests.filter((one) => one.method === method)
      .map(({ body }) => body);

  /** What the live service stores beyond the contract, in no order that a database has. */
  const more: Pick<PolicyDefinition, 'otherFields'> =
    dialect === 'live'
      ? { otherFields: { timezone: 'Europe/Berlin', activation_status: 'activated', b: 1, aa: 2 } }
      : {};

  async function approve(message: Message, text: string): Promise<Message> {
    const { ana, ben, cleo } = world();
    await ben.press(message, 'Approve');
    // A change that weakens needs a second approver.
    const next = await seeAgain(ana, message, new RegExp(`${text}|Waiting for 1 more approval`));
    if (next.text.includes(text)) return next;
    await cleo.press(next, 'Approve');
    return seeAgain(ana, message, text);
  }

  test('the bytes of a new, a changed and a reverted policy are those that approvers see', async () => {
    const { ana, ben, cleo } = world();
    await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
    const after = { name, slaSets: [slaSet(units)], ...more };
    const created = await stage.submit(ana, { kind: 'create', after });
    expect(created).toContain('Request sent to');
    const creation = await stage.newest(ana);
    const createBody = await readBody(ben, creation);
    await approve(creation, 'was created.');
    expect(sent('POST')).toEqual([createBody]);
    expect(createBody).toContain('\\u202e');

    const before = await stage.readNamed(name);
    const longer = withRetention(before, 365, units);
    await stage.submit(ana, { kind: 'replace', policyId: before.id, before, after: longer });
    const change = await stage.newest(ana);
    const changeBody = await readBody(ben, change);
    const done = await approve(change, 'was changed.');
    expect(sent('PUT')).toEqual([changeBody]);

    await ana.press(done, 'Revert…');
    const form = await ana.seeDialog('is restored to what it was before this change');
    await ana.submit(form, { reason: { input: 'Not needed after all' } });
    const inverse = await ana.see(
      () => messagesOf(ana).find(({ text }) => text.includes('requests approval to revert')),
      'the request to revert',
    );
    const revertBody = await readBody(ben, inverse);
    await approve(inverse, 'was reverted.');
    expect(sent('PUT')).toEqual([changeBody, revertBody]);
  });
});

function slaSet(units: string): PolicyDefinition['slaSets'][number] {
  const [rpoFrequency, retentionDuration] = [
    { units, value: 1 },
    { units, value: 90 },
  ];
  return {
    operation: 'aws_ebs_volume_backup',
    seedSetting: 'immediate',
    slas: [{ rpoFrequency, retentionDuration }],
  };
}

/** The text of the dialog behind *View request body*, as a person would copy it. */
async function readBody(person: Actor, message: Message): Promise<string> {
  await person.press(message, 'View request body');
  const body = await person.seeDialog('The exact body of the change');
  await person.close(body);
  const parts = body.blocks.flatMap((block) => {
    const text = block.type === 'section' ? (block.text?.text ?? '') : '';
    const part = /^```\n(?<shown>.*)\n```$/s.exec(text)?.groups?.shown;
    return part === undefined ? [] : [unescapeMrkdwn(part)];
  });
  return parts.join('\n');
}
