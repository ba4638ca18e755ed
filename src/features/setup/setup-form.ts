import { z } from 'zod';
import { defineForm, type Entered } from '../../slack/ui/form.ts';
import { selectField, textField } from '../../slack/ui/form-fields.ts';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { readUnitInput } from './views/unit-field.ts';

/** Where answers go once the modal is closed. */
export const setupOrigin = z.object({ channelId: z.string().optional() });
export type SetupOrigin = z.infer<typeof setupOrigin>;

/** The metadata of a form that shows stored settings. `revision`: the number of saves when it was opened. */
export const shownSetup = setupOrigin.extend({ revision: z.int().min(0) });
export type ShownSetup = z.infer<typeof shownSetup>;

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
  /** Given where a token can be entered on a web page. */
  page: tokenPageForm.optional(),
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

/** The first setup. What else can be set has defaults, and forms of its own. */
export const setupForm = defineForm('workspaces.setup', {
  metadata: setupMetadata,
  fields: { regionId: connectionFields.regionId, token: connectionFields.token },
});

/** What an admin entered about the connection. */
export type ConnectionEntries = {
  regionId: string | undefined;
  /** Undefined to leave the stored token as it is. */
  token: string | undefined;
  tokenOwner: string | undefined;
  organizationalUnitId: string | undefined;
  /** The label of the unit if it was chosen from a menu. */
  unitName: string | undefined;
};

type EnteredConnection = Entered<typeof setupForm.fields> & { tokenOwner?: string };

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
