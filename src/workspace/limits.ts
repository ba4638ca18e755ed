import { z } from 'zod';
import { plural } from '../slack/ui/words.ts';

/** A number that admins set. Everything else about it is derived from this. */
type Limit = {
  min: number;
  max: number;
  default: number;
  /** In forms and in changes of the setup. */
  label: string;
  /** Below its field in the form. */
  hint: string;
  /** In sentences of the audit log. */
  audited: string;
  unit?: { one: string; many: string; none: string };
  /** Whether another value could weaken a guard, and so requires approval. */
  weakens: (before: number, after: number) => boolean;
  /** Whether a change that weakens nothing is announced to approvers and admins. */
  isAnnounced: boolean;
};

/**
 * The limits of a workspace, by the name that its settings, the configuration file and the audit log use. A
 * longer grace period or a lower limit weakens nothing, but can hold up what others have approved.
 */
const declared = {
  deleteGraceMinutes: {
    min: 0,
    max: 24 * 60,
    default: 30,
    label: 'Deletion grace period',
    hint: 'Time between disabling and deleting a user, during which the deletion can be canceled. Enter 0 to delete immediately.',
    audited: 'deletion grace period',
    unit: { one: 'minute', many: 'minutes', none: 'none' },
    weakens: (before, after) => after < before,
    isAnnounced: true,
  },
  usersPerHour: {
    min: 1,
    max: 1000,
    default: 10,
    label: 'Users per hour',
    hint: 'Maximum number of users who can be disabled or deleted within an hour.',
    audited: 'limit of users per hour',
    weakens: (before, after) => after > before,
    isAnnounced: true,
  },
  weakeningApprovals: {
    min: 1,
    max: 3,
    default: 2,
    label: 'Approvers needed to weaken a policy',
    hint: "Number of people, 1 to 3, who must approve a change that weakens a backup policy. The requester doesn't count.",
    audited: 'approvers needed to weaken a policy',
    weakens: (before, after) => after < before,
    isAnnounced: false,
  },
} satisfies Record<string, Limit>;

export type LimitName = keyof typeof declared;
export type Limits = Record<LimitName, number>;

export const limits: Record<LimitName, Limit> = declared;

/** The same for each limit. */
export function eachLimit<Result>(
  make: (limit: Limit, name: LimitName) => Result,
): Record<LimitName, Result> {
  const of = (name: LimitName) => make(limits[name], name);
  return {
    deleteGraceMinutes: of('deleteGraceMinutes'),
    usersPerHour: of('usersPerHour'),
    weakeningApprovals: of('weakeningApprovals'),
  };
}

/** In the order in which they are shown. */
export const limitNames: LimitName[] = Object.values(eachLimit((_, name) => name));

/** In the configuration file and in the column `limits`: a limit that is missing has its default. */
export const limitFields = eachLimit(({ min, max, default: usual }) =>
  z.int().min(min).max(max).default(usual),
);

export const defaultLimits: Limits = eachLimit((limit) => limit.default);

export const limitsOf = (settings: Limits): Limits => eachLimit((_, name) => settings[name]);

/** "30 minutes", "10". */
export function formatLimit(name: LimitName, value: number): string {
  const { unit } = limits[name];
  if (!unit) return String(value);
  return value === 0 ? unit.none : plural(value, unit.one, unit.many);
}
