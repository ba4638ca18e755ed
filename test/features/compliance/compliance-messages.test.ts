import { expect, it } from 'vitest';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import { complianceListMessage } from '../../../src/features/compliance/compliance-list-message.ts';
import {
  severalPoliciesMessage,
  unknownPolicyMessage,
} from '../../../src/features/compliance/policy-choice-message.ts';
import {
  noStatisticsMessage,
  policyComplianceMessage,
} from '../../../src/features/compliance/policy-compliance-message.ts';
import type { PolicyReading } from '../../../src/features/compliance/read-all-compliance.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { buttonsOf, textsOf } from '../message-parts.ts';

function readingOf(name: string, nonCompliantCount: number): PolicyReading {
  const statistics = { compliantCount: 1, nonCompliantCount, otherFields: {} };
  return { policy: { id: `id of ${name}`, name }, reading: { outcome: 'read', statistics } };
}

it('keeps the order of the service but for the worst', () => {
  const readings = [0, 2, 0, 7].map((count, index) => readingOf(`P${index}`, count));
  const { blocks } = complianceListMessage(readings, { unreadCount: 0 });
  const names = textsOf(blocks).flatMap((text) => text.match(/P\d/) ?? []);
  expect(names).toEqual(['P3', 'P1', 'P0', 'P2']);
});

it('says how many policies it does not show', () => {
  const readings = Array.from({ length: 100 }, (_, index) => readingOf(`P${index}`, 0));
  const { blocks, text } = complianceListMessage(readings, { unreadCount: 5 });
  expect(validateMessage(blocks)).toEqual([]);
  expect(buttonsOf(blocks)).toHaveLength(20);
  expect(text).toContain('80 policies more: ask by name');
  expect(text).toContain('The statistics of another 5 were not read');
});

it('shows unknown fields as they come, and says that seeding changes the counts', () => {
  const statistics = { hasSeedingEntities: true, otherFields: { by_region: { west: 2 } } };
  const message = policyComplianceMessage({ id: 'p1', name: 'Gold' }, statistics);
  const texts = textsOf(message.blocks);
  expect(texts).toContain('*by_region*\n{"west":2}');
  expect(texts).toContain('*Compliant*\n–');
  expect(texts).toContainEqual(expect.stringContaining('these counts will still change'));
  expect(texts[0]).not.toContain('%');
});

it.each(Object.entries(hostileTexts))('survives a service that sends %s', (_name, text) => {
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
