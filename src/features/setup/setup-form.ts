import { z } from 'zod';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { type AccessSettings, isUserGroup, type WorkspaceSettings } from '../workspaces/index.ts';
import { setupBlocks } from './views/ids.ts';
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

export const setupMetadata = setupOrigin.extend({
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

/** What an admin entered. */
export type SetupForm = {
  regionId: string | undefined;
  /** Undefined to leave the stored token as it is. */
  token: string | undefined;
  tokenOwner: string | undefined;
  organizationalUnitId: string | undefined;
  /** The label of the unit if it was chosen from a menu. */
  unitName: string | undefined;
  approvers: string[];
  approvalsChannelId: string | undefined;
  /** As typed, to be shown again if it is not valid. */
  deleteGraceMinutes: string | undefined;
  usersPerHour: string | undefined;
  weakeningApprovals: string | undefined;
  /** The form has no fields for it. */
  access: AccessSettings;
};

/** `settings`: those in force. */
export function readSetupForm(values: ViewValues, settings: WorkspaceSettings): SetupForm {
  return {
    regionId: values.option(setupBlocks.region),
    token: values.text(setupBlocks.token),
    tokenOwner: values.text(setupBlocks.tokenOwner),
    ...readUnitInput(values),
    // The field takes people only: groups are chosen with `/belay access`.
    approvers: [...values.users(setupBlocks.approvers), ...settings.approvers.filter(isUserGroup)],
    approvalsChannelId: values.conversation(setupBlocks.approvalsChannel),
    deleteGraceMinutes: values.text(setupBlocks.deleteGrace),
    usersPerHour: values.text(setupBlocks.usersPerHour),
    weakeningApprovals: values.text(setupBlocks.weakeningApprovals),
    access: settings.access,
  };
}

type Range = { min: number; max: number };

export const deleteGraceRange: Range = { min: 0, max: 24 * 60 };
export const usersPerHourRange: Range = { min: 1, max: 1000 };
export const weakeningApprovalsRange: Range = { min: 1, max: 3 };

/** What the limits may be, however they are entered. */
export const settingRanges = {
  deleteGraceMinutes: deleteGraceRange,
  usersPerHour: usersPerHourRange,
  weakeningApprovals: weakeningApprovalsRange,
};

const limits = {
  deleteGraceMinutes: { block: setupBlocks.deleteGrace, range: deleteGraceRange },
  usersPerHour: { block: setupBlocks.usersPerHour, range: usersPerHourRange },
  weakeningApprovals: { block: setupBlocks.weakeningApprovals, range: weakeningApprovalsRange },
};
type Limit = keyof typeof limits;
export type Limits = Pick<WorkspaceSettings, Limit>;

/** The form's numbers, or errors by block id. */
export function readLimits(
  form: Pick<SetupForm, Limit>,
): Limits | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const read = (limit: Limit) => {
    const { block, range } = limits[limit];
    const number = wholeNumber(form[limit], range);
    if (number === undefined) errors[block] = rangeError(range);
    return number ?? range.min;
  };
  const numbers = {
    deleteGraceMinutes: read('deleteGraceMinutes'),
    usersPerHour: read('usersPerHour'),
    weakeningApprovals: read('weakeningApprovals'),
  };
  return Object.keys(errors).length > 0 ? { errors } : numbers;
}

function wholeNumber(text: string | undefined, { min, max }: Range): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
}

function rangeError({ min, max }: Range): string {
  return `Enter a whole number from ${min} to ${max}.`;
}
