import { z } from 'zod';
import type { ApprovableActionName } from '../audit-log/registry.ts';
import { members } from './members.ts';

/** The actions that a workspace can set a rule for. A change of the setup has the rule of the setup. */
export const ruledActions = [
  'users.disable',
  'users.enable',
  'users.rename',
  'users.delete',
  'users.invite',
  'policies.create',
  'policies.replace',
  'policies.revert',
  'volumes.restore',
] as const satisfies ApprovableActionName[];

export type RuledAction = (typeof ruledActions)[number];

/** So many different people of these people and user groups have to approve. */
export const requiredApproval = z.object({ from: members.min(1), count: z.int().min(1).max(5) });
export type RequiredApproval = z.infer<typeof requiredApproval>;

/** Who may request an action, who has to approve it, and in what time. */
export const actionRule = z.object({
  /** Nobody named: the operators. */
  requesters: members.default([]),
  /**
   * All of these must be met by different people: someone in two groups counts for one of
   * them. None: the approvers decide, as without a rule.
   */
  approvals: z.array(requiredApproval).max(5).default([]),
  /** A request that isn't decided by then expires. */
  hoursToDecide: z.int().min(1).max(168).default(8),
  /** A request that couldn't be started within this time after it was due is void. */
  hoursToRun: z.int().min(1).max(168).default(24),
  /** Until the first reminder; each later interval is twice as long. Undefined: no reminders. */
  remindAfterMinutes: z.int().min(5).max(1440).optional(),
  /** Who may run it without approval in an emergency. Empty: nobody. */
  breakGlass: members.default([]),
});
export type ActionRule = z.infer<typeof actionRule>;

/** By action; without an entry, every operator may request it, and one approver decides. */
export const actionRules = z
  .record(z.string(), z.unknown())
  // A newer version may have stored rules of other actions while an upgrade is under way.
  .transform((rules) =>
    Object.fromEntries(
      ruledActions.flatMap((name) => (name in rules ? [[name, rules[name]]] : [])),
    ),
  )
  .pipe(z.partialRecord(z.enum(ruledActions), actionRule));
export type ActionRules = z.infer<typeof actionRules>;

/** An action without its own rule. */
export const defaultRule: ActionRule = actionRule.parse({});

/** Users of the service who are never disabled or deleted through Belay. */
export const protectedUsers = z.object({
  /** Email addresses. */
  addresses: z.array(z.string().trim().min(1).max(320)).max(100).default([]),
  /** What follows the @ of an address. */
  domains: z.array(z.string().trim().min(1).max(253)).max(50).default([]),
  /** Names or ids of roles of the service. */
  roles: z.array(z.string().trim().min(1).max(200)).max(50).default([]),
});
export type ProtectedUsers = z.infer<typeof protectedUsers>;

/** What restores volumes has the rule of a restore. */
const sharedRules: Readonly<Record<string, RuledAction>> = { 'drills.add': 'volumes.restore' };

/** The names of all actions that have the rule of this one. */
export function actionsUnderRule(ruled: RuledAction): string[] {
  return [ruled, ...Object.keys(sharedRules).filter((name) => sharedRules[name] === ruled)];
}

/** The action if a rule can be set for it, or the one whose rule it has. */
export function ruledActionOf(action: string): RuledAction | undefined {
  const ruled = Object.hasOwn(sharedRules, action) ? sharedRules[action] : action;
  return ruledActions.find((one) => one === ruled);
}

/** The rule of an action; actions that can't have one have the default. */
export function ruleOf(rules: ActionRules, action: string): ActionRule {
  const name = ruledActionOf(action);
  return (name && rules[name]) ?? defaultRule;
}

/** Everyone who can approve by the rule of an action: ids of people and user groups. */
export function approversInRules(rules: ActionRules): string[] {
  return Object.values(rules).flatMap(({ approvals }) => approvals.flatMap(({ from }) => from));
}

/** Everyone named in a rule: ids of people and user groups. */
export function idsInRules(rules: ActionRules): string[] {
  return Object.values(rules).flatMap(({ requesters, approvals, breakGlass }) => [
    ...requesters,
    ...approvals.flatMap(({ from }) => from),
    ...breakGlass,
  ]);
}
