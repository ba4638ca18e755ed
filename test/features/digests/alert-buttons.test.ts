import { expect, it } from 'vitest';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import { buttonTexts } from '../../support/ask.ts';
import { textsOf } from '../message-parts.ts';
import { startDigests } from './start-digests.ts';

async function startWithAlert(options: ReferenceServiceOptions) {
  const stage = await startDigests(options);
  stage.raise({ id: 'new', severity: 'error', name: 'vm-77' });
  const discoveries = () =>
    stage.service.requests.filter(({ method, path }) => method === 'GET' && path === '/').length;
  return { ...stage, discoveries };
}

async function preview({ ana }: Awaited<ReturnType<typeof startWithAlert>>) {
  await ana.send('ops', '/belay digest new');
  await ana.submit(await ana.seeDialog('Time zone'), {});
  return ana.seeDialog('This digest, if posted now');
}

it.each<[string, ReferenceServiceOptions, string[]]>([
  ['can clear alerts', { dialect: 'live' }, ['View details', 'Clear alert']],
  ['has no such endpoint', { dialect: 'documented' }, ['View details']],
  [
    'does not offer to',
    { dialect: 'live', without: ['update-individual-alert'] },
    ['View details'],
  ],
])(
  'adds the available buttons to each alert, for a service that %s',
  async (_, options, buttons) => {
    const stage = await startWithAlert(options);
    await stage.addDigest({ parts: ['new', 'open'] });
    await stage.run();
    const texts = stage.posted().flatMap(buttonTexts);
    expect(texts.slice(0, buttons.length)).toEqual(buttons);
    expect([...new Set(texts)]).toEqual(buttons);
  },
);

it('requests discovery once, and not without an alert to show', async () => {
  const stage = await startWithAlert({ dialect: 'live' });
  await stage.addDigest({ parts: ['cleared', 'compliance'] });
  await stage.run();
  expect(stage.discoveries()).toBe(0);
  for (let count = 0; count < 2; count += 1) {
    await stage.addDigest({ parts: ['new', 'open'] });
    await stage.run();
  }
  expect(stage.posted()).toHaveLength(3);
  expect(stage.discoveries()).toBe(1);
});

it.each<[ReferenceServiceOptions, string]>([
  [
    { dialect: 'live' },
    'Each alert in the digest has the buttons *View details* and *Clear alert*.',
  ],
  [{ dialect: 'documented' }, 'Each alert in the digest has the button *View details*.'],
])('names the buttons in the preview instead of showing them', async (options, line) => {
  const stage = await startWithAlert(options);
  const shown = await preview(stage);
  expect(buttonTexts(shown)).toEqual(['Back']);
  expect(textsOf(shown.blocks).at(-2)).toBe(line);
});

it('mentions no buttons without an alert', async () => {
  const stage = await startWithAlert({ dialect: 'live' });
  await stage.ana.send('ops', '/belay digest new');
  const form = await stage.ana.seeDialog('Time zone');
  await stage.ana.submit(form, { parts: { input: ['approvals'] } });
  const shown = await stage.ana.seeDialog('This digest, if posted now');
  expect(textsOf(shown.blocks).join('\n')).not.toContain('It comes with');
});
