import { expect, test } from 'vitest';
import { buttonTexts } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const documented = shareWorld({ dialect: 'documented' });

test('the documented dialect has no restores, and Belay says so', async () => {
  const { ana, service } = documented();
  await ana.send('ops', '/belay restore orders-volume-1');
  await ana.seeMessage("This service doesn't offer restores through its API.");
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const partial = shareWorld({
  dialect: 'live',
  service: { without: ['restore-aws-ebs-volume'] },
});

test('a live service without the operation offers none either, not even in alerts', async () => {
  const { ana, service, portal } = partial();
  await ana.send('ops', '/belay restore');
  await ana.seeMessage("This service doesn't offer restores through its API.");
  const [alert] = service.alerts(portal.id);
  const [volume] = service.volumes(portal.id);
  if (!alert || !volume) throw new Error('no alert');
  const primary_entity = { id: volume.id, type: 'aws_ebs_volume', value: 'only-this-volume' };
  service.putAlert(portal.id, { ...alert, id: 'a1', status: 'active', primary_entity });
  await ana.send('ops', '/belay alerts only-this-volume');
  await ana.press(await ana.seeMessage('only-this-volume'), 'View details');
  expect(buttonTexts(await ana.seeDialog('only-this-volume'))).not.toContain('Restore…');
});
