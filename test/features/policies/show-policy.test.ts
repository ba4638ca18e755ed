import { describe, expect, it } from 'vitest';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import { showPolicyById } from '../../../src/features/policies/show-policy.ts';
import { createLogger } from '../../../src/logger.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { openReference, serviceWith } from '../../dataprotection/reference-service.ts';
import { listen } from '../../slack/interactions/listening.ts';
import { buttonTexts } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';
import { textsOf } from '../message-parts.ts';

describe.each(['documented', 'live'] as const)('one policy of the %s dialect', (dialect) => {
  const world = shareWorld({ dialect });

  it('is shown in words, by its name or its id', async () => {
    const { ana, service, portal } = world();
    const gold = service.policies(portal.id).find(({ name }) => name === 'Gold');
    for (const asked of ['gold', gold?.id]) {
      await ana.send('ops', `/belay policy ${asked}`);
      const card = await ana.seeMessage(/"Gold\n/);
      const texts = textsOf(card.blocks);
      expect(texts[0]).toBe('Gold');
      const [first = '', second = ''] = texts.filter((text) => /^\d\. /.test(text));
      expect(first).toMatch(
        /^1\. \*AWS EBS volume backup\* · first backup .*\n• every \d+ hours, keep \d+ days\n• every month, keep /,
      );
      expect(second).toMatch(/^2\. \*VMware VM backup\* · every /);
      expect(texts).toContain(`*Policy ID*\n\`${gold?.id}\``);
      expect(buttonTexts(card)).toEqual([
        ...['Edit', 'View compliance', 'View alerts'],
        ...(dialect === 'live' ? ['View volumes'] : []),
        'History',
      ]);
    }
  });

  it('leads to its compliance, its alerts and its history', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policy gold');
    const card = await ana.seeMessage(/"Gold\n/);
    await ana.press(card, 'View compliance');
    const compliance = await ana.seeMessage(' *Gold* · ');
    await ana.press(card, 'View alerts');
    await ana.seeMessage('Filters: policy');
    await ana.press(card, 'History');
    await ana.seeMessage('No changes to Gold through Belay, and none found outside Belay.');
    await ana.press(compliance, 'View policy');
    await ana.see(
      ({ conversations }) =>
        conversations
          .flatMap(({ messages }) => messages)
          .filter(({ text }) => text.startsWith('Gold\n'))[1],
      'the policy again',
    );
  });

  it('is chosen if several match, and suggested if none does', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policy finance');
    const choice = await ana.seeMessage('3 policies match “finance”. Choose one.');
    expect(textsOf(choice.blocks).at(-1)).toBe('Or run `/belay policy` with the ID.');
    await ana.press(choice, 'Select');
    await ana.seeMessage(/"Finance/);
    await ana.send('ops', '/belay policy glod');
    await ana.seeMessage('Did you mean one of these?');
    await ana.send('ops', '/belay policy <!channel>, nothing like these');
    const none = await ana.seeMessage('To see all policies, run `/belay policies`.');
    expect(none.text).not.toContain('<!');
    await ana.send('ops', '/belay policy');
    await ana.seeMessage('Policies · 1-10 of 12');
  });
});

async function showNone(client: ServiceClient) {
  const stage = await listen();
  stage.provide({ openService: async () => serviceWith(client) });
  const authorized = {
    teamId: 'T1',
    person: { slackUserId: 'U1', isAdmin: false, email: undefined, membership: 'member' as const },
    slack: stage.client,
    log: createLogger('silent'),
  };
  const call = { ...authorized, ...stage.openContext('T1') };
  return showPolicyById(call, 'no-such-id', { list: async () => [] });
}

it('reads the list of policies once, or twice if the service may have none', async () => {
  const asked: string[] = [];
  const client = await clientOf(({ url = '' }, response) => {
    asked.push(url);
    if (asked.length > 1) response.writeHead(404).end();
    else answerJson(response, { total_count: 0, _embedded: { items: [] } });
  });
  const list = '/policies/definitions';
  expect((await showNone(client)).text).toContain('was deleted or moved');
  expect(asked).toEqual([list]);
  const { text } = await showNone(client);
  expect(text).toContain('No policy has the name or ID “no-such-id”.');
  expect(asked.filter((url) => url === list)).toHaveLength(3);
});

it('says so if the policy of a button is gone', async () => {
  const { client } = await openReference();
  const { text } = await showNone(client);
  expect(text).toContain('Not found: the policy with the ID `no-such-id` was deleted or moved');
});

describe('a policy of the live dialect', () => {
  const world = shareWorld({ dialect: 'live' });

  it('has its state, its window and every other field of the service', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policy gold');
    const gold = textsOf((await ana.seeMessage(/"Gold\n/)).blocks);
    expect(gold[1]).toMatch(/^✅ \*Activated\*\nCompliance: \d+% of/);
    const [first = ''] = gold.filter((text) => /^\d\. /.test(text));
    expect(first).toContain('window 22:00–04:00');
    expect(first).toContain('parallel_streams: 4');
    expect(first).toContain('Advanced settings: backup tier standard (AWS EBS volume backup)');
    expect(gold).toContainEqual(expect.stringMatching(/^\*Created\*\n<!date\^1704067200\^/));

    await ana.send('ops', '/belay policy legal hold');
    const held = textsOf((await ana.seeMessage(/"Legal hold\n/)).blocks);
    expect(held).toContainEqual(expect.stringMatching(/^\*retention_lock\*\n{"mode".*2031-01-01/));
    await ana.send('ops', '/belay policy sandbox');
    const sandbox = await ana.seeMessage(/"Sandbox\n/);
    expect(sandbox.text).toContain('⛔ *Deactivated*');
  });
});
