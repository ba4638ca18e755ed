import { expect, it } from 'vitest';
import { policyAlertsButton } from '../../../src/features/alerts/index.ts';
import { actions, message } from '../../../src/slack/ui/blocks.ts';
import { buttonTexts } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';
import { buttonsOf } from '../message-parts.ts';
import { startAlerts } from './alert-stage.ts';

const world = shareWorld();

it('a fresh start knows the severity notice, without asking the service for it', async () => {
  const { ana, service } = world();
  const before = service.requests.length;
  await ana.send('ops', '/belay alerts severity:notice since:2099-01-01');
  await ana.seeMessage('That date is in the future.');
  expect(service.requests).toHaveLength(before);
});

it('Refresh reads the list again and replaces it, from its first page', async () => {
  const { ana, service, portal } = world();
  await ana.send('ops', '/belay alerts severity:warning');
  const list = await ana.seeMessage('1-10 of ');
  await ana.press(list, 'Older');
  await ana.press(await ana.seeMessage('11-20 of '), 'Refresh');
  const again = await ana.seeMessage('1-10 of ');
  expect(again.messageTs).toBe(list.messageTs);
  expect(again.text).toContain('Command: `/belay alerts severity:warning`');
  expect(buttonTexts(again)).not.toContain('Newer');

  const [first] = service.alerts(portal.id).filter(({ status }) => status === 'active');
  if (!first) throw new Error('the service has no active alert');
  const newest = { id: 'newest', severity: 'warning', updated_timestamp: new Date().toISOString() };
  const entity = { id: 'e', type: 'vmware_vm', value: 'raised-since' };
  service.putAlert(portal.id, { ...first, ...newest, primary_entity: entity });
  await ana.press(again, 'Refresh');
  await ana.seeMessage('raised-since');
});

it('a day in the filter is one of the person, and stays in the command', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay alerts since:yesterday status:all');
  const list = await ana.seeMessage('Filters: updated since ');
  expect(list.text).toContain('Command: `/belay alerts status:all since:yesterday`');
  await ana.press(list, 'Filter');
  expect(JSON.stringify((await ana.seeDialog('Since yesterday')).blocks)).toContain(
    'focus_on_load',
  );
});

it('a message about a policy can lead to its alerts', async () => {
  const { ana, post, portal, service } = await startAlerts();
  const [policy] = service.policies(portal.id);
  if (!policy) throw new Error('the service has no policy');
  const view = policyAlertsButton({ id: policy.id, name: policy.name });
  if (!view) throw new Error('the policy has no button');
  await ana.press(await post(message([actions([view])], 'About a policy')), 'View alerts');
  const list = await ana.seeMessage(`Filters: policy “${policy.name}”`);
  expect(list.isEphemeral).toBe(true);
});

it('a policy whose name no filter can hold is found by its id', () => {
  const carriedBy = (id: string, name: string) => {
    const button = policyAlertsButton({ id, name });
    return button && buttonsOf([actions([button])])[0]?.value;
  };
  expect(carriedBy('p-1', 'Gold')).toContain('"policy":"Gold"');
  for (const name of ['', 'a "b"', 'two\nlines', 'x'.repeat(101)]) {
    expect(carriedBy('p-1', name)).toContain('"policy":"p-1"');
  }
  expect(carriedBy('', '')).toBeUndefined();
});
