import { expect, it } from 'vitest';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import { textsOf } from '../message-parts.ts';
import { startDigests } from './start-digests.ts';

const day = (date: number) => `2026-03-0${date}T08:00:00Z`;

/** Runs a digest of compliance alone, on Friday unless given another day. */
async function startCompliance(options?: ReferenceServiceOptions) {
  const stage = await startDigests(options);
  await stage.addDigest({ parts: ['compliance'] });
  const digestAt = async (at = day(6)) => {
    stage.at(at);
    await stage.run();
    const message = stage.posted().at(-1);
    return { text: message?.text ?? '', lines: textsOf(message?.blocks)[1]?.split('\n') ?? [] };
  };
  return { ...stage, digestAt };
}

it('reports fewer compliant volumes even if the noncompliant count is the same', async () => {
  const { digestAt, remember } = await startCompliance();
  await remember((readings) =>
    readings.map((reading, index) =>
      index === 0
        ? { ...reading, statistics: { ...reading.statistics, compliantCount: 100_000 } }
        : reading,
    ),
  );
  const { text, lines } = await digestAt();
  expect(text).not.toContain('nothing to report');
  expect(lines).toEqual([
    expect.stringMatching(/ · 1 policy changed · \*.*\*: 100000 → \d+ compliant$/),
  ]);
});

it.each([
  ['more volumes are compliant', 'compliantCount', -1, true],
  ['fewer volumes are compliant', 'compliantCount', 1, false],
  ['one more volume is not compliant', 'nonCompliantCount', -1, false],
  ['one volume less is not compliant', 'nonCompliantCount', 1, false],
] as const)('posts nothing from a silent digest only if %s', async (_, count, offset, isSilent) => {
  const { addDigest, remember, run, posted, at } = await startDigests();
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  await remember((readings) =>
    readings.map(({ policy, statistics }, index) => ({
      policy,
      statistics:
        index === 0 ? { ...statistics, [count]: (statistics[count] ?? 0) + offset } : statistics,
    })),
  );
  at(day(6));
  await run();
  expect(posted()).toHaveLength(isSilent ? 0 : 1);
});

it('shows growth beside other changes, and does not call it unchanged', async () => {
  const { digestAt, remember } = await startCompliance();
  await remember((readings) =>
    readings.map(({ policy, statistics }) => ({
      policy,
      statistics: { ...statistics, compliantCount: (statistics.compliantCount ?? 0) - 1 },
    })),
  );
  const { text, lines } = await digestAt();
  expect(text).toContain('nothing to report');
  expect(text).not.toContain('unchanged');
  expect(lines[0]).toMatch(/ policies changed · /);
});

it('does not report that all policies are compliant if only some could be read', async () => {
  const { digestAt, remember, service, policies } = await startCompliance();
  await remember((readings) => readings);
  for (const { id } of policies().slice(1)) {
    service.addFault(
      { kind: 'status', status: 500 },
      { pathPrefix: `/policies/definitions/${id}` },
    );
  }
  const { text, lines } = await digestAt();
  expect(text).not.toContain('nothing to report');
  expect(text).not.toContain('unchanged');
  expect(lines).toEqual([
    expect.stringMatching(/compliant \(\d+ of \d+\) in 1 policy · .*11 policies unavailable$/),
  ]);
});

it('posts a silent digest if policies could not be read', async () => {
  const { addDigest, run, posted, service, policies } = await startDigests();
  await addDigest({ parts: ['compliance'], whenEmpty: 'silence' });
  const [first] = policies();
  const pathPrefix = `/policies/definitions/${first?.id}`;
  service.addFault({ kind: 'status', status: 500 }, { pathPrefix });
  await run();
  const lines = textsOf(posted()[0]?.blocks);
  expect(lines[1]).toContain('in 10 policies');
  expect(lines[1]).toContain('1 policy unavailable');
});

it('names the worst of new policies', async () => {
  const { digestAt, remember } = await startCompliance();
  await remember(([first]) => (first ? [first] : []));
  const { text, lines } = await digestAt();
  expect(text).not.toContain('nothing to report');
  expect(lines).toEqual([
    expect.stringMatching(
      / · 11 policies added · \*.*\*: new, \d+ noncompliant, .*compliant · `\/belay compliance`$/,
    ),
  ]);
});

it('reports a removed policy once', async () => {
  const { digestAt, remember } = await startCompliance();
  const statistics = { compliantCount: 40, nonCompliantCount: 0 };
  const gone = { policy: { id: 'gone', name: 'Bronze' }, statistics };
  await remember((readings) => [...readings, gone]);
  const { lines } = await digestAt();
  expect(lines).toEqual([expect.stringMatching(/ · 1 policy removed · \*Bronze\*: removed$/)]);
  const next = await digestAt(day(7));
  expect(next.text).toContain('\nCompliance unchanged');
});

it('reports that the last policy was removed', async () => {
  const { digestAt, remember } = await startCompliance({ listsPolicies: false });
  const statistics = { compliantCount: 40, nonCompliantCount: 0 };
  await remember(() => [{ policy: { id: 'gone', name: 'Bronze' }, statistics }]);
  const { text, lines } = await digestAt();
  expect(text).not.toContain('nothing to report');
  expect(lines).toEqual(['*Compliance* · the service no longer lists any policies.']);
});

it('reports nothing if there never were policies', async () => {
  const { digestAt } = await startCompliance({ listsPolicies: false });
  const { text, lines } = await digestAt();
  expect(text).toContain('nothing to report');
  expect(lines).toEqual(['*Compliance* · the service lists no policies.']);
});

it('compares the policies that Belay knows if the service lists none', async () => {
  const { digestAt, remember, addToCatalog, service, portal, policies } = await startCompliance({
    listsPolicies: false,
  });
  await addToCatalog();
  await remember((readings) => readings);
  const { lines } = await digestAt();
  expect(lines).toEqual([expect.stringMatching(/compliant \(\d+ of \d+\) · .*unchanged$/)]);
  const gold = policies().find(({ name }) => name === 'Gold');
  service.setCompliance(portal.id, gold?.id ?? '', { compliant_count: 1, non_compliant_count: 99 });
  const next = await digestAt(day(7));
  expect(next.text).not.toContain('nothing to report');
  expect(next.lines).toEqual([
    expect.stringMatching(/ · 1 policy changed.* · \*Gold\*: \d+ → 99 noncompliant/),
  ]);
});
