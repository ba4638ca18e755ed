import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findUnmetApproval } from '../../../src/features/access/index.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import { propertyRuns } from '../../support/sampling.ts';

const person = (slackUserId: string, more: Partial<Person> = {}): Person => ({
  ...{ slackUserId, isAdmin: false, membership: 'member' },
  ...{ email: `${slackUserId}@example.com`, ...more },
});

/** The groups are `S` with the people in them; everybody else is a person. */
function directory(groups: Record<string, string[]>, known: Record<string, Partial<Person>> = {}) {
  return {
    listMembers: async (ids: readonly string[]) => ({
      people: [...new Set(ids.flatMap((id) => (id.startsWith('S') ? (groups[id] ?? []) : [id])))],
      unread: ids.filter((id) => id.startsWith('S') && !groups[id]),
    }),
    readPerson: async (id: string) => person(id, known[id]),
  };
}

it.each([
  [[], undefined],
  [[{ from: ['S1'], count: 2 }], undefined],
  [[{ from: ['S1'], count: 3 }], { index: 0, reason: 'too-few', able: 2 }],
  [[{ from: ['S9'], count: 1 }], { index: 0, reason: 'unread', able: 0 }],
  [[{ from: ['S9', 'U1'], count: 1 }], undefined],
  [
    [
      { from: ['S1'], count: 2 },
      { from: ['U1'], count: 1 },
    ],
    { index: 1, reason: 'overlap', able: 1 },
  ],
  [
    [
      { from: ['S1', 'U3'], count: 1 },
      { from: ['U3'], count: 1 },
    ],
    undefined,
  ],
])('finds the approval of %j that nobody can give', async (approvals, unmet) => {
  expect(await findUnmetApproval(approvals, directory({ S1: ['U1', 'U2'] }))).toEqual(unmet);
});

it('counts a mailbox once, and nobody who has left or has no address', async () => {
  const people = {
    U2: { email: 'U1+other@example.com' },
    U3: { membership: 'deactivated' as const },
    U4: { email: undefined },
  };
  const groups = { S1: ['U1', 'U2', 'U3', 'U4'] };
  const unmet = await findUnmetApproval([{ from: ['S1'], count: 2 }], directory(groups, people));
  expect(unmet).toEqual({ index: 0, reason: 'too-few', able: 1 });
});

it('assumes that others of a large group can approve', async () => {
  const S1 = Array.from({ length: 200 }, (_, index) => `U${index}`);
  const left = Object.fromEntries(
    S1.slice(0, 100).map((id) => [id, { membership: 'guest' as const }]),
  );
  const approvals = [
    { from: ['S1'], count: 2 },
    { from: ['S1'], count: 3 },
  ];
  expect(await findUnmetApproval(approvals, directory({ S1 }, left))).toBeUndefined();
});

const someone = fc.constantFrom('U1', 'U2', 'U3', 'U4');
const needed = fc.record({
  from: fc.uniqueArray(someone, { minLength: 1 }),
  count: fc.integer({ min: 1, max: 2 }),
});

/** Tries every choice of people. */
function canMeet([first, ...rest]: { from: string[]; count: number }[], free: string[]): boolean {
  if (!first) return true;
  if (first.count === 0) return canMeet(rest, free);
  return first.from.some(
    (id) =>
      free.includes(id) &&
      canMeet(
        [{ ...first, count: first.count - 1 }, ...rest],
        free.filter((other) => other !== id),
      ),
  );
}

it('says of any rule whether different people can give all approvals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(needed, { maxLength: 3 }), async (approvals) => {
      const unmet = await findUnmetApproval(approvals, directory({}));
      expect(unmet === undefined).toBe(canMeet(approvals, ['U1', 'U2', 'U3', 'U4']));
    }),
    propertyRuns(1000, 200),
  );
});
