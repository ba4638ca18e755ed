import fc from 'fast-check';
import type { Database } from '../../../src/database/tables.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { countOf } from '../../../src/requests/rules/match-approvals.ts';
import { createVoidSetupChanges } from '../../../src/requests/store/void-waiting.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import {
  type ActionRule,
  defaultRule,
  type RequiredApproval,
} from '../../../src/workspace/rules.ts';
import {
  defaultAccess,
  defaultSettings,
  type WorkspaceSettings,
} from '../../../src/workspace/settings/document.ts';
import { contextWith } from '../context-with.ts';
import { newApproval, noon, openApprovalStore } from '../store/rows.ts';

export const groups = ['SSECURITY', 'SSTORAGE', 'SDBA'] as const;
export const people = ['UREQ', 'U1', 'U2', 'U3', 'U4', 'U5', 'U6'] as const;
export const [requester] = people;

const approvals = fc.array(
  fc.record({
    from: fc.uniqueArray(fc.oneof(fc.constantFrom(...groups), fc.constantFrom(...people)), {
      minLength: 1,
      maxLength: 3,
    }),
    count: fc.constantFrom(1, 1, 1, 2),
  }),
  { minLength: 1, maxLength: 3 },
);
export const rule: fc.Arbitrary<ActionRule> = approvals.map((one) => ({
  ...defaultRule,
  approvals: one,
}));

/** Somebody in Slack at this moment; two people can have one mailbox, or none that Slack shows. */
export type Standing = {
  groups: readonly string[];
  mailbox: string | undefined;
  membership: 'member' | 'guest' | 'deactivated';
};
export const standing = (own: string): fc.Arbitrary<Standing> =>
  fc.record({
    groups: fc.oneof(fc.subarray([...groups], { minLength: 1 }), fc.subarray([...groups])),
    mailbox: fc.oneof(
      { weight: 20, arbitrary: fc.constant(own) },
      { weight: 3, arbitrary: fc.constantFrom('U1', 'UREQ', 'subject') },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    membership: fc.oneof(
      { weight: 15, arbitrary: fc.constant('member' as const) },
      { weight: 1, arbitrary: fc.constantFrom('guest' as const, 'deactivated' as const) },
    ),
  });

/** Who decides without a rule. */
export const approvers = ['U1', 'U2', 'U3', 'SSECURITY'];

/** A workspace with one pending request to disable a user; everything about its people can change. */
export async function openRuledWorld(
  db: Database,
  given: { rule: ActionRule; least: number; standings: readonly Standing[] },
) {
  const { store } = openApprovalStore(db);
  const standings = new Map<string, Standing>(
    people.map((id, index) => [id, given.standings[index] as Standing]),
  );
  let now = noon;
  let isOut = false;
  const standIns = new Map<string, { standIn: string; endsAt: Date }>();
  let current: ActionRule | undefined = given.rule;
  const snapshot = { id: 'u-1', fullName: null, isEnabled: true, isConfirmed: null, roles: null };
  const created = await store.create(
    await newApproval(db, {
      requester,
      rule: given.rule,
      requiredApprovals: Math.max(given.least, countOf(given.rule.approvals)),
      payload: { id: 'u-1' },
      snapshot: { ...snapshot, email: 'subject@example.com' },
    }),
    { isRepeat: true },
  );
  if (created.result !== 'created') throw new Error(created.result);
  const { teamId, id } = created.approval;
  const ref = { teamId, id };
  await store.recordMessage({ ...ref, channelId: 'C1', messageTs: '1.1' });

  /** A person now, with the approvers they stand in for, as `access` describes them. */
  function personOf(slackUserId: string): Person {
    const person = accountOf(slackUserId);
    const standsInFor = standsInForOf(slackUserId).map(accountOf);
    return standsInFor.length > 0 ? { ...person, standsInFor } : person;
  }

  function standsInForOf(slackUserId: string): string[] {
    const { mailbox, membership } = standingOf(slackUserId);
    return [...standIns].flatMap(([approver, { standIn, endsAt }]) => {
      const other = standingOf(approver);
      const areTwo = mailbox && other.mailbox && mailbox !== other.mailbox;
      const areMembers = membership === 'member' && other.membership === 'member';
      return standIn === slackUserId && endsAt > now && areTwo && areMembers ? [approver] : [];
    });
  }

  function accountOf(slackUserId: string): Person {
    const { groups: known, mailbox, membership } = standingOf(slackUserId);
    const email = mailbox && `${mailbox}@example.com`;
    const roles = isOut
      ? { groups: [], unreadGroups: [...groups], admins: [] }
      : { groups: known, unreadGroups: [], admins: [] };
    return { slackUserId, isAdmin: false, email, membership, standing: roles };
  }

  function standingOf(slackUserId: string): Standing {
    const found = standings.get(slackUserId);
    if (!found) throw new Error(`nobody is ${slackUserId}`);
    return found;
  }

  const settings = (): WorkspaceSettings => ({
    ...defaultSettings,
    approvers,
    approvalsChannel: undefined,
    deleteGraceMinutes: 0,
    access: { ...defaultAccess, rules: current ? { 'users.disable': current } : {} },
  });

  return {
    ref,
    store,
    personOf,
    standingOf,
    isOut: () => isOut,
    now: () => now,
    rule: () => current,
    standsInForOf,
    /** Undefined ends the stand-in of that approver. */
    nameStandIn(approver: string, named: { standIn: string; hours: number } | undefined) {
      if (!named || named.standIn === approver) return void standIns.delete(approver);
      const { standIn, hours } = named;
      standIns.set(approver, { standIn, endsAt: new Date(now.getTime() + hours * 3_600_000) });
    },
    change: (id: string, to: Standing) => void standings.set(id, to),
    setOut: (to: boolean) => {
      isOut = to;
    },
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    /** `isVoiding`: saved by setup. Else a request was made from the rule of a moment ago. */
    async changeRule(to: ActionRule | undefined, { isVoiding }: { isVoiding: boolean }) {
      current = to;
      if (!isVoiding) return;
      const hooks = { onChanged: async () => undefined, onEnded: async () => undefined };
      await db.transaction().execute((trx) =>
        createVoidSetupChanges(hooks)(trx, {
          teamId,
          by: 'UADMIN',
          at: now,
          append: async () => undefined,
          changedRules: ['users.disable'],
        }),
      );
    },
    context: contextWith({
      store,
      readSettings: async () => settings(),
      openPeople: () => async (slackUserId: string) => personOf(slackUserId),
      clock: () => now,
    }),
    async find(): Promise<Approval> {
      const found = await store.find(ref);
      if (!found) throw new Error('the request is gone');
      return found;
    },
  };
}

export type RuledWorld = Awaited<ReturnType<typeof openRuledWorld>>;

/** Somebody with the places that they could fill: their own, or that of an approver. */
export type Voter = { mailbox: string; places: { mailbox: string; ids: readonly string[] }[] };

/**
 * Whether these people, each once for each mailbox, can meet all of a rule, and nobody's place counts
 * twice: by trying every choice, with no help from the code under test.
 */
export function canMeet(needed: RequiredApproval[], voters: Voter[]): boolean {
  const slots = needed.flatMap(({ from, count }) => Array.from({ length: count }, () => from));
  const fill = (index: number, voted: Set<string>, taken: Set<string>): boolean => {
    const from = slots[index];
    if (!from) return true;
    return voters.some(
      (voter) =>
        !voted.has(voter.mailbox) &&
        voter.places.some(
          ({ mailbox, ids }) =>
            !taken.has(mailbox) &&
            ids.some((id) => from.includes(id)) &&
            fill(index + 1, new Set([...voted, voter.mailbox]), new Set([...taken, mailbox])),
        ),
    );
  };
  return fill(0, new Set(), new Set());
}
