import { describe, expect, it } from 'vitest';
import { shareWorld } from '../../support/world.ts';
import { rowsOf, textsOf } from '../message-parts.ts';

describe.each([
  ['documented', []],
  ['live', ['no']],
] as const)('policies of a service that speaks the %s dialect', (dialect, states) => {
  const world = shareWorld({ dialect });

  it('lists what each backs up, how often, how long it keeps, its state and its compliance', async () => {
    const { ana, service, portal } = world();
    await ana.send('ops', '/belay policies');
    const list = await ana.seeMessage('Policies · 1-10 of 12');
    expect(list.isEphemeral).toBe(true);
    const names = rowsOf(list.blocks).map(([name]) => name);
    expect(names).toEqual(names.toSorted());
    expect(rowsOf(list.blocks)).toContainEqual([
      ...['Mailboxes', 'Microsoft 365 mailbox'],
      ...[expect.stringMatching(/^\d+ hours/), expect.stringMatching(/^\d+ days/)],
      ...(dialect === 'live' ? ['yes'] : []),
      'No data',
    ]);
    const gold = rowsOf(list.blocks).find(([name]) => name === 'Gold');
    expect(gold?.[1]).toBe('AWS EBS volume, VMware VM, AWS RDS snapshot');
    expect(gold?.at(-1)).toMatch(/^\d+%/);
    const sandbox = rowsOf(list.blocks).find(([name]) => name === 'Sandbox');
    expect(sandbox?.slice(4, -1)).toEqual(states);
    // The service gives no count of noncompliant volumes, so there is no share.
    const build = rowsOf(list.blocks).find(([name]) => name === 'Build machines');
    expect(build?.at(-1)).toMatch(/^\d+ compliant$/);
    // One request for the list, and one for each policy that is shown.
    const asked = service.requests.filter(({ path }) => path.includes('/stats/'));
    expect(asked).toHaveLength(10);

    await ana.press(list, 'Next');
    const last = await ana.seeMessage('Policies · 11-12 of 12');
    expect(rowsOf(last.blocks)).toHaveLength(2);
    await ana.press(last, 'Refresh');
    await ana.press(await ana.seeMessage('Policies · 11-12 of 12'), 'Previous');
    await ana.seeMessage('Policies · 1-10 of 12');
    expect(service.policies(portal.id)).toHaveLength(12);
  });

  it('searches for a word of the command in quotation marks', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policies "Create"');
    await ana.seeMessage('No policy matches “Create”.');
    await ana.send('ops', '/belay policy "Missing history"');
    await ana.seeMessage('Missing history');
  });

  it.each([
    ['FINANCE', 3, 'Filter: “FINANCE”'],
    ['dynamodb', 1, 'Sandbox: backs up AWS DynamoDB table snapshot'],
  ])('finds policies by %s', async (search, count, words) => {
    const { ana } = world();
    await ana.send('ops', `/belay policies ${search}`);
    const list = await ana.seeMessage(`Policies · ${count}`);
    expect(list.text).toContain(words);
    expect(rowsOf(list.blocks)).toHaveLength(count);
    expect(textsOf(list.blocks).at(-1)).toContain(`\`/belay policies "${search}"\``);
  });

  it('shows what could not be read as unknown, never as 0', async () => {
    const { ana, service, portal } = world();
    for (const { id } of service.policies(portal.id)) {
      const pathPrefix = `/policies/definitions/${id}/stats`;
      service.addFault({ kind: 'status', status: 503 }, { pathPrefix });
    }
    await ana.send('ops', '/belay policies');
    const list = await ana.seeMessage("Unavailable: compliance couldn't be read");
    expect(rowsOf(list.blocks).map((row) => row.at(-1))).toEqual(Array(10).fill('Unavailable'));
    expect(list.text).toContain('compliant Unavailable');
  });

  it('says so if nothing matches', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay policies <!channel> of nothing');
    const none = await ana.seeMessage('No policy matches');
    expect(none.text).not.toContain('<!');
    await ana.send('ops', `/belay policies ${'x'.repeat(101)}`);
    await ana.seeMessage('At most 100 characters.');
  });
});
