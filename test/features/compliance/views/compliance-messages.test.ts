import { expect, it } from 'vitest';
import { validateMessage } from '../../../../playground/slack/validate/message.ts';
import { ServiceUnreachableError } from '../../../../src/dataprotection/http/errors.ts';
import type { PolicyReading } from '../../../../src/features/compliance/read-compliance.ts';
import { complianceListMessage } from '../../../../src/features/compliance/views/compliance-list-message.ts';
import {
  severalPoliciesMessage,
  unknownPolicyMessage,
} from '../../../../src/features/compliance/views/policy-choice-message.ts';
import {
  noStatisticsMessage,
  policyComplianceMessage,
} from '../../../../src/features/compliance/views/policy-compliance-message.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { buttonsOf, textsOf } from '../../message-parts.ts';

function readingOf(name: string, nonCompliantCount: number): PolicyReading {
  const statistics = { compliantCount: 1, nonCompliantCount, otherFields: {} };
  return { policy: { id: `id of ${name}`, name }, reading: { outcome: 'read', statistics } };
}

it("lists the worst policies first, then the others in the service's order", () => {
  const readings = [0, 2, 0, 7].map((count, index) => readingOf(`P${index}`, count));
  const { blocks } = complianceListMessage(readings, { unreadCount: 0 });
  const names = textsOf(blocks).flatMap((text) => text.match(/P\d/) ?? []);
  expect(names).toEqual(['P3', 'P1', 'P0', 'P2']);
});

function failedOf(name: string): PolicyReading {
  const error = new ServiceUnreachableError('lost', { request: 'GET /', mayHaveActed: false });
  return { policy: { id: `id of ${name}`, name }, reading: { outcome: 'failed', error } };
}

it('shows unread policies right after noncompliant ones', () => {
  const readings = [readingOf('P0', 0), failedOf('P1'), readingOf('P2', 0), readingOf('P3', 2)];
  const { blocks, text } = complianceListMessage(readings, { unreadCount: 0 });
  const names = textsOf(blocks).flatMap((line) => line.match(/P\d/) ?? []);
  expect(names).toEqual(['P3', 'P1', 'P0', 'P2']);
  expect(text).toMatch(
    /^Compliance: non-compliant volumes in 1 of the 3 policies that were read · 1 could not be read\. /,
  );
});

it('says how many could not be read, shown or not', () => {
  const kept = Array.from({ length: 70 }, (_, index) => readingOf(`P${index}`, 0));
  const failed = Array.from({ length: 30 }, (_, index) => failedOf(`F${index}`));
  const { blocks, text } = complianceListMessage([...kept, ...failed], { unreadCount: 0 });
  const [title, ...rest] = textsOf(blocks);
  expect(title).toBe(
    '*Compliance: no non-compliant volume reported in the 70 policies that were read · 30 could not be read*',
  );
  expect(rest.slice(0, -1).every((line) => line.includes('could not be read'))).toBe(true);
  expect(rest.at(-1)).toContain('80 policies more, 10 of which could not be read: ask by name');
  expect(text).toContain('30 could not be read');
});

it('makes no claim about all policies if only one could be read', () => {
  const none: PolicyReading = { policy: { id: 'n', name: 'N' }, reading: { outcome: 'none' } };
  const { blocks } = complianceListMessage([none, failedOf('F')], { unreadCount: 0 });
  expect(textsOf(blocks)[0]).toBe(
    '*Compliance: no non-compliant volume reported in the one policy that was read · 1 could not be read*',
  );
});

it('says how many policies it does not show', () => {
  const readings = Array.from({ length: 100 }, (_, index) => readingOf(`P${index}`, 0));
  const { blocks, text } = complianceListMessage(readings, { unreadCount: 5 });
  expect(validateMessage(blocks)).toEqual([]);
  expect(buttonsOf(blocks)).toHaveLength(20);
  expect(text).toContain('80 policies more: ask by name');
  expect(text).toContain('The statistics of another 5 were not read');
});

it('shows unknown fields as they are, and says that seeding changes the counts', () => {
  const statistics = { hasSeedingEntities: true, otherFields: { by_region: { west: 2 } } };
  const message = policyComplianceMessage({ id: 'p1', name: 'Gold' }, statistics);
  const texts = textsOf(message.blocks);
  expect(texts).toContain('*by_region*\n{"west":2}');
  expect(texts).toContain('*Compliant*\n–');
  expect(texts).toContainEqual(expect.stringContaining('these counts will still change'));
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
    complianceListMessage(readings, { unreadCount: 3 }),
    policyComplianceMessage(policy, statistics),
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
