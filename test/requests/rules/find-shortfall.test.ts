import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Vote } from '../../../src/requests/approval.ts';
import { hashMailbox } from '../../../src/requests/guards.ts';
import { findShortfall } from '../../../src/requests/rules/find-shortfall.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import type { RequiredApproval } from '../../../src/workspace/rules.ts';
import { propertyRuns } from '../../support/sampling.ts';

const person = (slackUserId: string, more: Partial<Person> = {}): Person => ({
  slackUserId,
  isAdmin: false,
  membership: 'member',
  email: `${slackUserId}@example.com`,
  ...more,
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
  [[], []],
  [[{ from: ['S1'], count: 2 }], []],
  [[{ from: ['S1'], count: 3 }], [{ index: 0, able: ['U1', 'U2'], isUnread: false }]],
  [[{ from: ['S9'], count: 1 }], [{ index: 0, able: [], isUnread: true }]],
  [[{ from: ['S9', 'U1'], count: 1 }], []],
  [
    [
      { from: ['S1'], count: 2 },
      { from: ['U1'], count: 1 },
    ],
    [{ index: 1, able: ['U1'], isUnread: false }],
  ],
  [
    [
      { from: ['S1', 'U3'], count: 1 },
      { from: ['U3'], count: 1 },
    ],
    [],
  ],
])('finds the approvals of %j that nobody can give', async (needed, expected) => {
  const shortfall = await findShortfall({ needed, ...directory({ S1: ['U1', 'U2'] }) });
  expect(shortfall).toMatchObject(expected);
  expect(shortfall).toHaveLength(expected.length);
});

it('counts a mailbox once, and nobody who has left or has no address', async () => {
  const people = {
    U2: { email: 'U1+other@example.com' },
    U3: { membership: 'deactivated' as const },
    U4: { email: undefined },
  };
  const groups = { S1: ['U1', 'U2', 'U3', 'U4'] };
  const needed = [{ from: ['S1'], count: 2 }];
  expect(await findShortfall({ needed, ...directory(groups, people) })).toMatchObject([
    {
      able: ['U1'],
      reasons: [
        '<@U1> and <@U2> have the same mailbox, so they count as one person.',
        '<@U3> is no longer a full member of this workspace.',
        expect.stringContaining("Slack doesn't show Belay the email address of <@U4>."),
      ],
    },
  ]);
});

it('counts an approval for the approver in whose place a stand-in gave it, and the stand-in no more', async () => {
  const needed = [
    { from: ['S1'], count: 1 },
    { from: ['S2'], count: 1 },
  ];
  const id = 'request';
  const hashOf = (who: string) => hashMailbox({ id }, person(who));
  const standsInFor = { slackUserId: 'U1', mailboxHash: hashOf('U1') };
  const vote: Vote = {
    by: 'U2',
    mailboxHash: hashOf('U2'),
    at: new Date(),
    standsInFor,
    meets: [0],
  };
  const approval = { id, votes: [vote] };
  const both = directory({ S1: ['U1'], S2: ['U2', 'U3'] });
  expect(await findShortfall({ needed, approval, ...both })).toEqual([]);
  const one = directory({ S1: ['U1'], S2: ['U2'] });
  expect(await findShortfall({ needed, approval, ...one })).toMatchObject([{ index: 1, able: [] }]);
});

it('lets two accounts with one mailbox count for either group', async () => {
  const people = { U2: { email: 'U1@example.com' } };
  const groups = { S1: ['U1', 'U3'], S2: ['U2'] };
  const needed = [
    { from: ['S1'], count: 1 },
    { from: ['S2'], count: 1 },
  ];
  expect(await findShortfall({ needed, ...directory(groups, people) })).toEqual([]);
  const alone = await findShortfall({ needed, ...directory({ ...groups, S1: ['U1'] }, people) });
  expect(alone).toMatchObject([{ index: 1, able: ['U2'] }]);
});

it('counts nobody who has approved under another account', async () => {
  const people = { U2: { email: 'U1@example.com' } };
  const vote = (by: string, meets: number[]): Vote => ({
    by,
    at: new Date(),
    meets,
    mailboxHash: hashMailbox({ id: 'a' }, person(by)),
  });
  const needed = [
    { from: ['S1'], count: 1 },
    { from: ['S2'], count: 1 },
  ];
  const shortfallAfter = (votes: Vote[], groups: Record<string, string[]>) =>
    findShortfall({ needed, approval: { id: 'a', votes }, ...directory(groups, people) });
  const groups = { S1: ['U1', 'U3'], S2: ['U2'] };
  expect(await shortfallAfter([vote('U1', [0])], groups)).toMatchObject([{ index: 1, able: [] }]);
  // Also if the approval no longer counts.
  expect(await shortfallAfter([vote('U1', [0])], { ...groups, S1: ['U3'] })).toMatchObject([
    {
      index: 1,
      able: [],
      reasons: ['<@U1> and <@U2> have the same mailbox, so they count as one person.'],
    },
  ]);
  expect(await shortfallAfter([vote('U3', [0])], groups)).toEqual([]);
});

it('assumes that others of a large group can approve, but nobody else', async () => {
  const S1 = Array.from({ length: 200 }, (_, index) => `U${index}`);
  const left = Object.fromEntries(
    S1.slice(0, 100).map((id) => [id, { membership: 'guest' as const }]),
  );
  const large = [
    { from: ['S1'], count: 2 },
    { from: ['S1'], count: 3 },
  ];
  expect(await findShortfall({ needed: large, ...directory({ S1 }, left) })).toEqual([]);
  const needed = [{ from: ['U7'], count: 1 }, ...large];
  expect(await findShortfall({ needed, ...directory({ S1 }, left) })).toMatchObject([{ index: 0 }]);
});

const accounts = ['U1', 'U2', 'U3', 'U4', 'U5'];
const approval = fc.record({
  from: fc.uniqueArray(fc.constantFrom(...accounts), { minLength: 1, maxLength: 3 }),
  count: fc.integer({ min: 1, max: 2 }),
});
/** Of each account. */
const mailboxes = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 5, maxLength: 5 });

/** Tries every choice of people. */
function canMeet(
  [first, ...rest]: RequiredApproval[],
  free: { id: string; mailbox: string | undefined }[],
): boolean {
  if (!first) return true;
  if (first.count === 0) return canMeet(rest, free);
  return free.some(
    ({ id, mailbox }) =>
      first.from.includes(id) &&
      canMeet(
        [{ ...first, count: first.count - 1 }, ...rest],
        free.filter((other) => other.mailbox !== mailbox),
      ),
  );
}

it('finds for any rule whether different people can give all approvals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(approval, { maxLength: 3 }), mailboxes, async (needed, given) => {
      const free = accounts.map((id, index) => ({ id, mailbox: given[index] }));
      const known = Object.fromEntries(
        free.map(({ id, mailbox }) => [id, { email: `${mailbox}@example.com` }]),
      );
      const shortfall = await findShortfall({ needed, ...directory({}, known) });
      expect(shortfall.length === 0).toBe(canMeet(needed, free));
    }),
    propertyRuns(2000, 300),
  );
});
