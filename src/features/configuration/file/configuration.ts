import { z } from 'zod';
import { storable } from '../../../database/canonical-text.ts';
import { roles } from '../../../workspace/access.ts';
import { limitFields } from '../../../workspace/limits.ts';
import { members } from '../../../workspace/members.ts';
import { actionRule, requiredApproval, ruledActions } from '../../../workspace/rules.ts';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  normalizeText,
  withoutListOptions,
} from '../../alerts/index.ts';
import { digestParts, digestSettings } from '../../digests/index.ts';
import {
  isAddress,
  isDomain,
  maxApprovers,
  maxConnections,
  problemWithName,
} from '../../setup/index.ts';
import { maxCountRange } from '../../watches/index.ts';

/**
 * The configuration file: what people configure in workspaces, and nothing that Belay measures. Unknown
 * keys are refused. docs/operations.md describes it for operators.
 */

const person = z.string().regex(/^[UW][A-Z0-9]+$/, "isn't a Slack member ID. Example: U0123ABC");
const channel = z.string().regex(/^[CDG][A-Z0-9]+$/, "isn't a Slack channel ID. Example: C0123ABC");

/** Approvers must see exactly what is saved, so invisible characters are refused. */
const shownExactly = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => text === text.trim() && !/\p{C}|[^\S ]|\s{2}|\p{Bidi_Control}/u.test(text),
      'has invisible characters or repeated spaces',
    );

/** Variables of the same process. */
const ownSecrets = /^(?:SLACK_.*|DATABASE_.*|BELAY_ENCRYPTION_KEYS)$/i;

/** Where the operator's process finds a token. */
const tokenReference = z
  .union(
    [
      z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
      z.strictObject({ file: z.string().min(1) }),
    ],
    { error: 'must be {env: NAME} or {file: PATH}, never the token itself' },
  )
  .refine(
    (reference) => !('env' in reference) || !ownSecrets.test(reference.env),
    "names one of Belay's own secrets, which would be sent to the service",
  );
export type TokenReference = z.infer<typeof tokenReference>;

const connection = z.strictObject({
  name: z.string().superRefine((name, context) => {
    const problem = problemWithName(name, []);
    if (problem) context.addIssue(problem);
  }),
  region: z.string().min(1).max(100),
  organizationalUnit: shownExactly(255).optional(),
  /** Email address or id of the service's user who owns the token. */
  tokenOwner: shownExactly(255).optional(),
  token: tokenReference,
  /** Exactly one of a workspace's connections. */
  default: z.literal(true).optional(),
});

const settings = z.strictObject({
  approvalsChannel: channel.optional(),
  /** None: the workspace's admins. */
  approvers: members
    .refine(
      (ids) => ids.filter((id) => !id.startsWith('S')).length <= maxApprovers,
      `has more than ${maxApprovers} people`,
    )
    .default([]),
  ...limitFields,
});

const rule = actionRule
  .extend({
    approvals: z.array(requiredApproval.strict()).max(5).default([]),
  })
  .strict();

/** As the form accepts them: an invalid entry would protect nobody. */
const protectedUsersSection = z.strictObject({
  addresses: z
    .array(shownExactly(320).refine(isAddress, "isn't an email address"))
    .max(100)
    .default([]),
  domains: z
    .array(shownExactly(253).refine(isDomain, "isn't a domain. Example: example.com"))
    .max(50)
    .default([]),
  roles: z.array(shownExactly(200)).max(50).default([]),
});

const text = z
  .string()
  .min(1)
  .refine((typed) => normalizeText(typed) === typed, 'has double quotes or repeated spaces');

/** Which alerts a watch or digest is about. */
export type Filter = {
  severities?: string[] | undefined;
  types?: string[] | undefined;
  policy?: string | undefined;
  words?: string[] | undefined;
};

/** As it is stored. */
export function toSearch({ words = [], ...given }: Filter = {}): AlertSearch {
  return withoutListOptions({ ...defaultSearch, ...given, words });
}

const filter = z
  .strictObject({
    severities: z.array(z.string()).min(1).optional(),
    types: z.array(z.string()).min(1).optional(),
    policy: text.optional(),
    words: z.array(text).optional(),
  })
  .refine(
    (given) => alertSearchSchema.safeParse(toSearch(given)).success,
    'is too long, or one of its values is empty or longer than 100 characters',
  );

/** `connection` is a name; `owner` may change the item and is notified if the channel is lost. */
const placed = { channel, connection: z.string(), owner: person };

/** In the order of their numbers, from 1. */
export const weekdayNames = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Of the service, which may write whatever can be stored. */
const storedText = z
  .string()
  .max(10_000)
  .refine((given) => storable(given) === given, "has characters that can't be stored");

const alertWatch = z.strictObject({ ...placed, filter: filter.optional() });
const complianceWatch = z.strictObject({
  ...placed,
  policy: z.strictObject({ id: storedText.min(1), name: storedText }),
  /** A message is posted when the noncompliant volumes become more than this. */
  above: z.int().min(maxCountRange.min).max(maxCountRange.max),
});
const placedOnly = z.strictObject(placed);
const digest = z.strictObject({
  ...placed,
  time: digestSettings.shape.time,
  weekdays: z.array(z.enum(weekdayNames)).min(1).max(7),
  timeZone: digestSettings.shape.timeZone,
  include: z.array(z.enum(digestParts)).min(1),
  ifEmpty: digestSettings.shape.whenEmpty,
  filter: filter.optional(),
});

/** Before a `z.record`, which leaves out a key named `__proto__` without an error. */
const ordinaryKeys = z.unknown().refine((given) => !Object.hasOwn(Object(given), '__proto__'), {
  error: 'unknown key',
  path: ['__proto__'],
});

/** Every section of a workspace. */
export const workspaceConfiguration = z.strictObject({
  connections: z.array(connection).min(1).max(maxConnections),
  settings,
  roles: roles.strict(),
  rules: ordinaryKeys.pipe(z.partialRecord(z.enum(ruledActions), rule)),
  protectedUsers: protectedUsersSection,
  /** Channels that use another connection than the default. */
  channels: z.array(placedOnly),
  alertWatches: z.array(alertWatch),
  complianceWatches: z.array(complianceWatch),
  policyWatches: z.array(placedOnly),
  digests: z.array(digest),
});
/** A workspace as it is stored, or as it is to be. */
export type Workspace = z.infer<typeof workspaceConfiguration>;

/** A section that is left out stays as it is; one that is there is complete. */
const partialWorkspace = workspaceConfiguration.partial();
export type PartialWorkspace = z.infer<typeof partialWorkspace>;

export const configurationFile = z.strictObject({
  version: z.literal(1),
  workspaces: ordinaryKeys.pipe(
    z.record(
      z.string().regex(/^T[A-Za-z0-9-]+$/, "isn't a Slack workspace ID. Example: T0123ABC"),
      partialWorkspace,
    ),
  ),
});

export type ConfiguredConnection = z.infer<typeof connection>;
export type AlertWatch = z.infer<typeof alertWatch>;
export type ComplianceWatch = z.infer<typeof complianceWatch>;
export type ConfiguredDigest = z.infer<typeof digest>;

/** The sections with what is in a channel, in the order of the file. */
export const itemSections = [
  'channels',
  'alertWatches',
  'complianceWatches',
  'policyWatches',
  'digests',
] as const;
type ItemSection = (typeof itemSections)[number];

/** What is in a channel, with the section that it is in. */
export type Item = {
  [Section in ItemSection]: { section: Section; value: Workspace[Section][number] };
}[ItemSection];

export function listItems(workspace: Workspace): Item[] {
  return [
    ...workspace.channels.map((value) => ({ section: 'channels' as const, value })),
    ...workspace.alertWatches.map((value) => ({ section: 'alertWatches' as const, value })),
    ...workspace.complianceWatches.map((value) => ({
      section: 'complianceWatches' as const,
      value,
    })),
    ...workspace.policyWatches.map((value) => ({ section: 'policyWatches' as const, value })),
    ...workspace.digests.map((value) => ({ section: 'digests' as const, value })),
  ];
}
