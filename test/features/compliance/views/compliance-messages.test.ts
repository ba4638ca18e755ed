import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import { ServiceUnreachableError } from '../../../../src/dataprotection/http/errors.ts';
import type { PolicyReading } from '../../../../src/features/compliance/read-compliance.ts';
import { complianceListMessage } from '../../../../src/features/compliance/views/compliance-list-message.ts';
import {
  severalPoliciesMessage,
  unknownPolicyMessage,
} from '../../../../src/features/compliance/views/policy-choice.ts';
import {
  noStatisticsMessage,
  policyComplianceMessage,
} from '../../../../src/features/compliance/views/policy-compliance-message.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { buttonsOf, rowsOf, textsOf } from '../../message-parts.ts';
import { sampleHistory } from '../sample-history.ts';

const history = sampleHistory(7);

function readingOf(name: string, nonCompliantCount: number): PolicyReading {
  const statistics = { compliantCount: 1, nonCompliantCount, otherFields: {} };
  return { policy: { id: `id of ${name}`, name }, reading: { outcome: 'read', statistics } };
}

it("lists the worst policies first, then the others in the service's order", () => {
  const readings = [0, 2, 0, 7].map((count, index) => readingOf(`P${index}`, count));
  const { blocks } = complianceListMessage(readings, { unreadCount: 0, history });
  expect(rowsOf(blocks)).toEqual([
    ['P3', '7', '1', '–'],
    ['P1', '2', '1', '–'],
    ['P0', '0', '1', '–'],
    ['P2', '0', '1', '–'],
  ]);
});

function failedOf(name: string): PolicyReading {
  const error = new ServiceUnreachableError('lost', { request: 'GET /', mayHaveActed: false });
  return { policy: { id: `id of ${name}`, name }, reading: { outcome: 'failed', error } };
}

it('shows unread policies right after noncompliant ones', () => {
  const readings = [readingOf('P0', 0), failedOf('P1'), readingOf('P2', 0), readingOf('P3', 2)];
  const { blocks, text } = complianceListMessage(readings, { unreadCount: 0, history });
  expect(rowsOf(blocks).map(([name]) => name)).toEqual(['P3', 'P1', 'P0', 'P2']);
  expect(text).toMatch(
    /^:warning: \*Compliance: noncompliant volumes in 1 of 3 policies · 1 unavailable\*\n/,
  );
});

it('says how many could not be read, on the first page', () => {
  const kept = Array.from({ length: 70 }, (_, index) => readingOf(`P${index}`, 0));
  const failed = Array.from({ length: 30 }, (_, index) => failedOf(`F${index}`));
  const { blocks, text } = complianceListMessage([...kept, ...failed], { unreadCount: 0, history });
  const [title, range] = textsOf(blocks);
  expect(title).toContain(
    ':warning: *Compliance: no noncompliant volumes reported in 70 policies · 30 unavailable*',
  );
  expect(range).toBe('Policies 1-10 of 100, worst first');
  expect(rowsOf(blocks).every(([, count]) => count === 'Unavailable')).toBe(true);
  expect(text).toContain('30 unavailable');
});

it('makes no claim about policies without data', () => {
  const none: PolicyReading = { policy: { id: 'n', name: 'N' }, reading: { outcome: 'none' } };
  const { blocks } = complianceListMessage([none, failedOf('F')], { unreadCount: 0, history });
  expect(textsOf(blocks)[0]).toMatch(/^:warning: \*Compliance: no data · 1 unavailable\*$/m);
});

it('marks only full compliance with a check mark, unprotected volumes included', () => {
  const titleOf = (unprotectedCount: number) => {
    const statistics = {
      compliantCount: 44,
      nonCompliantCount: 0,
      unprotectedCount,
      otherFields: {},
    };
    const policy = { id: 'p1', name: 'Gold' };
    const reading = { policy, reading: { outcome: 'read' as const, statistics } };
    const list = complianceListMessage([reading, reading], { unreadCount: 0, history });
    return [list, policyComplianceMessage(policy, statistics, history)].map(
      (one) => textsOf(one.blocks)[0],
    );
  };
  expect(titleOf(0)).toEqual([
    expect.stringMatching(
      /^:white_check_mark: \*Compliance: no noncompliant volumes reported in 2 policies\*\nAll policies: 100% of checked volumes compliant \(88 of 88\) · 0 noncompliant\n/,
    ),
    ':white_check_mark: *Gold* · no noncompliant volumes',
  ]);
  expect(titleOf(12)).toEqual([
    expect.stringMatching(/^:warning: .* · 24 unprotected$/ms),
    ':warning: *Gold* · no noncompliant volumes, 12 unprotected volumes',
  ]);
});

it('marks no list with a check mark in which a count of noncompliant volumes is unknown', () => {
  const statistics = { compliantCount: 44, otherFields: {} };
  const unknown: PolicyReading = {
    policy: { id: 'p1', name: 'Gold' },
    reading: { outcome: 'read', statistics },
  };
  const { text } = complianceListMessage([readingOf('P0', 0), unknown], {
    unreadCount: 0,
    history,
  });
  expect(text).toMatch(/^:warning: /);
});

it('shows ten policies a page, and goes back to the first if the page is gone', () => {
  const readings = Array.from({ length: 100 }, (_, index) => readingOf(`P${index}`, 0));
  const last = complianceListMessage(readings, { unreadCount: 5, start: 90, history });
  expect(validateMessage(last.blocks)).toEqual([]);
  expect(rowsOf(last.blocks)).toHaveLength(10);
  expect(textsOf(last.blocks)[1]).toBe('Policies 91-100 of 100, worst first');
  expect(buttonsOf(last.blocks).map(({ action_id, value }) => [action_id, value])).toEqual([
    ['compliance.previous', '{"start":80,"period":7}'],
    ['compliance.refresh', '{"start":90,"period":7}'],
    ['compliance.days_30', '{"start":90,"period":30}'],
    ['compliance.days_90', '{"start":90,"period":90}'],
  ]);
  expect(last.text).toContain('5 more policies not checked');
  const gone = complianceListMessage(readings.slice(0, 80), { unreadCount: 0, start: 90, history });
  expect(textsOf(gone.blocks)[1]).toBe('Policies 1-10 of 80, worst first');
});

it('shows unknown fields as they are, and says that seeding changes the counts', () => {
  const statistics = { hasSeedingEntities: true, otherFields: { by_region: { west: 2 } } };
  const message = policyComplianceMessage({ id: 'p1', name: 'Gold' }, statistics, history);
  const texts = textsOf(message.blocks);
  expect(texts).toContain('*by_region*\n{"west":2}');
  expect(texts).toContain('*Compliant*\nunavailable');
  expect(texts).toContainEqual(expect.stringContaining('these counts will change'));
  expect(texts[0]).not.toContain('%');
});

it.each(Object.entries(hostileTexts))('renders %s from the service', (_name, text) => {
  const policy = { id: text, name: text };
  const policies = Array.from({ length: 40 }, () => policy);
  const other = Array.from({ length: 200 }, (_, index) => [`${index}${text}`, { deep: [text] }]);
  const statistics = { compliantCount: 1e300, otherFields: Object.fromEntries(other) };
  const readings = policies.map((): PolicyReading => {
    return { policy, reading: { outcome: 'read', statistics } };
  });
  const messages = [
    complianceListMessage(readings, { unreadCount: 3, history }),
    policyComplianceMessage(policy, statistics, history),
    noStatisticsMessage(policy),
    severalPoliciesMessage(text, policies),
    unknownPolicyMessage(text, policies.slice(0, 3)),
    unknownPolicyMessage(text, []),
  ];
  for (const message of messages) {
    expect(validateMessage(message.blocks)).toEqual([]);
    expect(message.text.length).toBeLessThanOrEqual(4000);
    expect(JSON.stringify([message.text, textsOf(message.blocks)])).not.toContain('<');
  }
});
