import { describe, expect, test } from 'vitest';
import { type Dialect, dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import {
  listPolicies,
  type Policy,
  readPolicy,
} from '../../../src/dataprotection/resources/policies.ts';
import { comparePolicies } from '../../../src/features/policies/difference/compare-policies.ts';
import { newContent } from '../../../src/features/policies/editor/open-editor.ts';
import {
  isStorable,
  storedDefinitionSchema,
} from '../../../src/features/policies/stored-policy.ts';
import { formatDifference } from '../../../src/features/policies/views/format-difference.ts';
import { policyCard } from '../../../src/features/policies/views/policy-message.ts';
import { collect, openClient } from '../../dataprotection/local-server.ts';
import { serve } from '../../support/serve.ts';

/** A service with one policy; the digits of its limit are written as they are. */
async function openService(dialect: Dialect) {
  let digits = '';
  const baseUrl = await serve((request, response) => {
    const sets = dialect === 'live' ? 'operations' : 'sla_sets';
    const policy = `{"id":"p1","name":"Gold","${sets}":[],"limits":{"max":${digits}}}`;
    const isOne = request.url?.endsWith('/p1');
    response.end(
      isOne ? policy : `{"start":"1","total_count":1,"_embedded":{"items":[${policy}]}}`,
    );
  });
  const client = openClient(baseUrl, 'a.b.c', undefined, dialect);
  return {
    client,
    async read(now: string): Promise<Policy> {
      digits = now;
      const policy = await readPolicy(client, 'p1');
      expect(await collect(listPolicies(client))).toEqual([policy]);
      return policy;
    },
  };
}

describe.each(dialects)(
  'a policy of the %s dialect with a number that JavaScript rounds',
  (dialect) => {
    test('is shown with all digits', async () => {
      const { read } = await openService(dialect);
      const card = policyCard(await read('9007199254740993'), { outcome: 'none' });
      expect(JSON.stringify(card.blocks)).toContain('9007199254740993 (number)');
    });

    test('shows a change of the last digit, also to a watch, which stores it', async () => {
      const { read } = await openService(dialect);
      const [one, other] = [await read('9007199254740993'), await read('9007199254740995')];
      const stored = [one, other].map((policy) =>
        storedDefinitionSchema.parse(JSON.parse(JSON.stringify(policy))),
      );
      for (const [before = one, after = other] of [[one, other], stored]) {
        const [, line] = formatDifference(comparePolicies(before, after));
        expect(line).toBe(
          '🔻 *Weaker* · Policy · Field limits: {"max":"9007199254740993 (number)"} → {"max":"9007199254740995 (number)"}',
        );
      }
    });

    test.each(['9007199254740993', '9007199254740992', '1e400', '0.1000000000000000000001'])(
      "with %s can't be edited or sent",
      async (digits) => {
        const { client, read } = await openService(dialect);
        expect(isStorable(await read(digits))).toBe(false);
        const content = await newContent(client, 'p1');
        expect(JSON.stringify(content)).toContain("numbers that Belay can't store unchanged");
        expect(isStorable(await read('9007199254740991'))).toBe(true);
        expect(await newContent(client, 'p1')).toHaveProperty('after');
      },
    );
  },
);
