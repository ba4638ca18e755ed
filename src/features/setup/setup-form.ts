import { z } from 'zod';
import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import { defineForm, type Entered } from '../../slack/ui/form.ts';
import {
  channelField,
  numberField,
  peopleField,
  selectField,
  textField,
} from '../../slack/ui/form-fields.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { eachLimit } from '../../workspace/limits.ts';
import { isUserGroup } from '../../workspace/members.ts';
import type { WorkspaceSettings } from '../../workspace/workspace.ts';
import { readUnitInput } from './views/unit-field.ts';

/** Where answers go once the modal is closed. */
export const setupOrigin = z.object({ channelId: z.string().optional() });

/** Of the form that adds a connection, and of the first setup: which connection a token is for. */
export const newConnection = 'new';
export const firstConnection = 'first';

/** A form that takes its token from a web page. */
export const tokenPageForm = z.object({
  formId: z.uuid(),
  /** Origin of the connection, `newConnection` or `firstConnection`. */
  tokenFor: z.string(),
});
export type TokenPageForm = z.infer<typeof tokenPageForm>;

const setupMetadata = setupOrigin.extend({
  /** As it was when the form was opened. Whether a token is required is decided at submission. */
  hasStoredToken: z.boolean(),
  /** How often the setup had been saved when it filled the form. */
  revision: z.int().min(0),
  /** Given where a token can be entered on a web page. */
  page: tokenPageForm.optional(),
  /** In a form opened from a modal that has saved already, which has the same view id. */
  isUnitChoice: z.boolean().default(false),
});
export type SetupMetadata = z.infer<typeof setupMetadata>;

/** Of the connection to the service. `unitInput` shows its unit. */
export const connectionFields = {
  regionId: selectField({
    label: 'Region',
    hint: 'Portal where you sign in to the data-protection service.',
  }),
  token: textField({ label: 'API token', maxLength: 3000 }),
  tokenOwner: textField({
    label: 'Token owner',
    hint: "Email address or ID of the service's user who owns the token. Belay never disables or deletes this user.",
    maxLength: 255,
    isOptional: true,
  }),
};

export const setupForm = defineForm('workspaces.setup', {
  metadata: setupMetadata,
  fields: {
    ...connectionFields,
    approvers: peopleField({
      label: 'Approvers',
      hint: 'Choose who approves requests. Leave empty to use the admins. Nobody can approve their own request. To choose user groups, run /belay access.',
      isOptional: true,
    }),
    approvalsChannelId: channelField({
      label: 'Approvals channel',
      hint: 'Channel where requests are posted. Leave empty to post each request where it is made.',
      isOptional: true,
    }),
    ...eachLimit(({ label, unit, hint, min, max }) =>
      numberField({ label: unit ? `${label} (${unit.many})` : label, hint, min, max }),
    ),
  },
});

/** What an admin entered about the connection. */
type ConnectionEntries = {
  regionId: string | undefined;
  /** Undefined to leave the stored token as it is. */
  token: string | undefined;
  tokenOwner: string | undefined;
  organizationalUnitId: string | undefined;
  /** The label of the unit if it was chosen from a menu. */
  unitName: string | undefined;
};

/** What an admin entered. The form has no fields for `access`. */
export type SetupForm = ConnectionEntries & WorkspaceSettings;

type EnteredConnection = Pick<Entered<typeof setupForm.fields>, keyof typeof connectionFields>;

export function readConnection(
  { regionId, token, tokenOwner }: EnteredConnection,
  values: ViewValues,
): ConnectionEntries {
  return {
    regionId,
    token: token || undefined,
    tokenOwner: tokenOwner || undefined,
    ...readUnitInput(values),
  };
}

/** `settings`: those in force. */
export function readSetupForm(
  { entered, values }: Pick<SubmissionOf<typeof setupForm>, 'entered' | 'values'>,
  settings: WorkspaceSettings,
): SetupForm {
  return {
    ...entered,
    ...readConnection(entered, values),
    // The field takes people only: groups are chosen with `/belay access`.
    approvers: [...entered.approvers, ...settings.approvers.filter(isUserGroup)],
    access: settings.access,
  };
}
