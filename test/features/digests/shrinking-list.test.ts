import { subMinutes } from 'date-fns/subMinutes';
import { expect, it } from 'vitest';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests } from './start-digests.ts';

/** 250 open alerts, which are three pages; the error is the first of the second page. */
async function startLong() {
  const stage = await startDigests({ dialect: 'live' });
  const { service, portal, raise } = stage;
  const [sample] = service.alerts(portal.id).filter(({ status }) => status === 'active');
  for (let count = 0; count < 250; count += 1) {
    const at = subMinutes(fridayNine, count + 1).toISOString();
    const times = { raised_timestamp: at, updated_timestamp: at };
    const severity = count === 100 ? 'error' : 'warning';
    raise({ id: `new-${count}`, severity, name: `vm-${count}`, ...times });
  }
  for (const alert of service.alerts(portal.id)) {
    const isOther = !alert.id.startsWith('new-') && alert.status === sample?.status;
    if (isOther) service.putAlert(portal.id, { ...alert, status: 'cleared' });
  }
  const digest = async () => {
    await stage.addDigest({ parts: ['new', 'open'] });
    await stage.run();
    return textsOf(stage.posted()[0]?.blocks);
  };
  const shrink = (times?: number) =>
    service.setFault(
      { kind: 'changing-list', change: 'remove' },
      { pathPrefix: '/alerts', ...(times ? { times } : {}) },
    );
  return { ...stage, digest, shrink };
}

it('reads a list again if it shrank meanwhile', async () => {
  const { digest, shrink } = await startLong();
  shrink(1);
  const texts = await digest();
  expect(texts[0]).toContain('\n249 new alerts (1 error, 248 warnings) · 0 still active');
  expect(texts[1]).toBe('*New alerts* · 249');
  expect(texts[2]).toContain('vm-100');
});

it('shows no exact count for a list that shrinks on every read', async () => {
  const { digest, shrink } = await startLong();
  shrink();
  const texts = await digest();
  expect(texts[0]).toMatch(/\nAt least \d+ new alerts \(.*\) · no active alerts found/);
  expect(texts.join('\n')).toContain(
    'The list of alerts became shorter while Belay read it, so alerts may be missing.',
  );
});
