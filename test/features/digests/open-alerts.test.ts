import { subDays } from 'date-fns/subDays';
import { expect, it } from 'vitest';
import { buttonTexts } from '../../support/ask.ts';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests, thursdayText } from './start-digests.ts';

it('counts new alerts as open if the digest has no section for new ones', async () => {
  const stage = await startDigests();
  const { service, portal } = stage;
  const before = service.alerts(portal.id);
  const old = subDays(fridayNine, 40).toISOString();
  const times = { raised_timestamp: old, updated_timestamp: old };
  stage.raise({ id: 'old', severity: 'warning', name: 'vm-1', ...times });
  stage.raise({ id: 'new', severity: 'error', name: 'vm-77' });
  for (const alert of before) service.putAlert(portal.id, { ...alert, status: 'cleared' });
  await stage.addDigest({ parts: ['open', 'approvals'] });
  await stage.run();
  const texts = textsOf(stage.posted()[0]?.blocks);
  expect(texts[0]).toBe(
    `:bar_chart: *Digest* · since ${thursdayText}\n2 active alerts (1 error, 1 warning)`,
  );
  expect(texts[1]).toBe('*Active alerts* · 2');
  expect(texts[2]).toContain('vm-77');
  expect(texts[3]).toContain('vm-1');
});

it('separates new and open alerts if it has both sections', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'open'] });
  stage.raise({ id: 'new', severity: 'error', name: 'vm-77' });
  await stage.run();
  const texts = textsOf(stage.posted()[0]?.blocks).join('\n');
  expect(texts).toMatch(/new alerts? \(.*\) · \d+ still active/);
  expect(texts).toMatch(/^\*New alerts\* · 8$/m);
  expect(buttonTexts(stage.posted()[0] ?? {})).toEqual([
    ...Array(3).fill('View details'),
    'View alerts',
  ]);
});
