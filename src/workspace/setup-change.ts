import { z } from 'zod';
import type { TenantMarks } from '../dataprotection/tenant.ts';
import { type WorkspaceSettings, workspaceSettings } from './settings/document.ts';
import { connectionTarget } from './workspace.ts';

/** What a setup form sets, without the token and its owner. */
const setupValues = workspaceSettings.extend({
  regionId: z.string(),
  /** As shown to people; the id where the configuration has no such region any more. */
  regionLabel: z.string(),
  organizationalUnitId: z.string().optional(),
  unitName: z.string().optional(),
});
export type SetupValues = z.infer<typeof setupValues>;

/** A change as one form makes it. */
export const formChange = z.object({
  changeId: z.uuid(),
  /** The number of saves that it is based on: after another save it is void. */
  basedOn: z.int().nonnegative(),
  before: setupValues,
  after: setupValues,
  /** Not in `before` and `after`, because an address can be erased. */
  tokenOwnerBefore: z.string().optional(),
  tokenOwnerAfter: z.string().optional(),
  /** Whether the service has the token owner. */
  ownerCheck: z.enum(['not_named', 'known', 'not_checkable']).optional(),
  /** Not in changes about the only connection. */
  target: connectionTarget.optional(),
  /** Given if region, token or unit change. */
  connectionId: z.uuid().optional(),
  hasNewToken: z.boolean(),
  /** Whether only the token of the connection is replaced, so that what waits stays valid. */
  isSameTenant: z.boolean().optional(),
});
export type FormChange = z.infer<typeof formChange>;

/**
 * A change of the setup as it is shown to the people who decide, and as it is saved: from these
 * values and the sealed token. Stored with the change and with the request for its approval.
 */
export const setupChange = formChange.extend({
  /** In a change that comes from a configuration file: everything but the settings. */
  configuration: z
    .object({
      /** Of connections, as forms would make them. */
      changes: z.array(formChange),
      /** Of watches, digests and the connections of channels, one line each: plain text. */
      items: z.array(z.string()),
      /** What is saved, parsed by the feature that saves it. Not in the request, which shows it. */
      plan: z.unknown().optional(),
    })
    .optional(),
});
export type SetupChange = z.infer<typeof setupChange>;

/** A change to store, with the token that it brings. */
export type NewSetupChange = {
  teamId: string;
  change: SetupChange;
  token: string | undefined;
  /** What that token sees of its tenant. */
  tenant?: TenantMarks | undefined;
  createdBy: string;
  at: Date;
};

export type SavedChange = {
  teamId: string;
  change: SetupChange;
  savedAt: Date;
  /** Slack user ids; nobody for a change by the operator. */
  savedBy: string | undefined;
  approvedBy: string | undefined;
};

/** The settings that a change saves. */
export function settingsOf({ after }: SetupChange): WorkspaceSettings {
  return workspaceSettings.parse(after);
}
