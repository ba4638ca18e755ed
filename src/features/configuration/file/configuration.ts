import { z } from 'zod';
import { members } from '../../../workspace/members.ts';
import { actionRule, requiredApproval, ruledActions } from '../../../workspace/rules.ts';
import { roles, workspaceSettings } from '../../../workspace/settings/document.ts';
import {
  isAddress,
  isDeceptive,
  isDomain,
  maxApprovers,
  maxConnections,
  problemWithName,
} from '../../setup/index.ts';
import { type Item, placedItem, type Section } from '../sections/define-section.ts';
import { sections } from '../sections/sections.ts';

/**
 * The configuration file: what people configure in workspaces, and nothing that Belay measures. Unknown
 * keys are refused. docs/operations.md describes it for operators.
 */

const shownExactly = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => text === text.trim() && !isDeceptive(text),
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
  ...workspaceSettings.omit({ access: true }).shape,
  approvalsChannel: placedItem.shape.channel.optional(),
  /** None: the workspace's admins. */
  approvers: members
    .refine(
      (ids) => ids.filter((id) => !id.startsWith('S')).length <= maxApprovers,
      `has more than ${maxApprovers} people`,
    )
    .default([]),
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

/** Before a `z.record`, which leaves out a key named `__proto__` without an error. */
const ordinaryKeys = z.unknown().refine((given) => !Object.hasOwn(Object(given), '__proto__'), {
  error: 'unknown key',
  path: ['__proto__'],
});

const settingsSections = z.strictObject({
  connections: z.array(connection).min(1).max(maxConnections),
  settings,
  roles: roles.strict(),
  rules: ordinaryKeys.pipe(z.partialRecord(z.enum(ruledActions), rule)),
  protectedUsers: protectedUsersSection,
});
const itemSections = z.strictObject(
  Object.fromEntries(sections.map(({ name, schema }) => [name, z.array(schema)])),
);

/** A workspace as it is stored, or as it is to be. */
export type Workspace = z.infer<typeof settingsSections> & {
  /** Section by section, in the order of the file. */
  items: Item[];
};

export function itemsOf(section: Section, items: Item[]): Item[] {
  return items.filter((item) => item.section === section);
}

/** Every section of a workspace. */
export const workspaceConfiguration = z.intersection(settingsSections, itemSections).transform(
  ({ connections, settings, roles, rules, protectedUsers, ...given }): Workspace => ({
    connections,
    settings,
    roles,
    rules,
    protectedUsers,
    items: sections.flatMap(({ name }) => given[name] ?? []),
  }),
);

/** A section that is left out stays as it is; one that is there is complete. */
const partialWorkspace = z.intersection(settingsSections.partial(), itemSections.partial());
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
