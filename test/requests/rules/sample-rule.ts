import type { Approval } from '../../../src/requests/approval.ts';
import type { DecisionRefusal } from '../../../src/requests/decide-approval.ts';
import type { RequestResult } from '../../../src/requests/request-approval.ts';
import type { Shortfall } from '../../../src/requests/rules/find-shortfall.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { sampleNow as at, people } from '../../features/sample-place.ts';

const security = { from: ['S0SECURITY'], count: 1 };
const storage = { from: ['S0STORAGE1', people.ben], count: 2 };
const rule = { ...defaultRule, approvals: [security, storage, { from: [people.sam], count: 1 }] };

/** A request that needs people of two groups, and Sam: before and after approvals, one of which no longer counts. */
export function withRule(approval: Approval): Approval[] {
  const votes = [
    { by: people.cleo, mailboxHash: 'cleo', at, meets: [0, 1] },
    { by: people.gus, mailboxHash: 'gus', at, meets: [1] },
    { by: people.dee, mailboxHash: 'dee', at, meets: [] },
  ];
  return [0, 1, 3].map((count) => ({
    ...approval,
    rule,
    requiredApprovals: 4,
    votes: votes.slice(0, count),
  }));
}

/** All that people who left their groups, or never were in them, leave a rule without. */
export function shortfallOf(reasons: string[]): Shortfall[] {
  return [
    { ...security, index: 0, able: [], reasons, isUnread: false },
    { ...storage, index: 1, able: [people.gus], reasons: [], isUnread: false },
    { ...storage, index: 2, able: [people.gus, people.ben], reasons: [], isUnread: true },
  ];
}

export function ruleRefusals(approval: Approval): DecisionRefusal[] {
  return [
    { result: 'groups_already_approved', approval },
    { result: 'rule_changed', approval },
    { result: 'already_approved', approval, why: 'You already approved this request.' },
    { result: 'not_approver', approval, approvers: ['S0SECURITY', people.ben] },
  ];
}

export const unmetRequests: ((
  reasons: string[],
) => Exclude<RequestResult, { result: 'requested' | 'already-open' }>)[] = [
  (reasons) => ({ result: 'rule_unmet', shortfall: shortfallOf(reasons) }),
];
