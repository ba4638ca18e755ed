import { z } from 'zod';
import type { ViewValues } from '../../slack/view-values.ts';
import { setupBlocks } from './ids.ts';

export const setupMetadata = z.object({
  channelId: z.string().optional(),
  /** So when the form was opened; whether a token is needed is judged when it is sent. */
  hasStoredToken: z.boolean().default(false),
});
export type SetupMetadata = z.infer<typeof setupMetadata>;

/** What an admin typed. `token` is undefined when left empty: the stored one stays. */
export type SetupForm = {
  regionId: string | undefined;
  token: string | undefined;
  tokenOwner: string | undefined;
  organizationalUnitId: string | undefined;
  approvers: string[];
  approvalsChannelId: string | undefined;
  /** As typed, to be shown again when it is no number that will do. */
  deleteGraceMinutes: string | undefined;
  usersPerHour: string | undefined;
};

export function readSetupForm(values: ViewValues): SetupForm {
  return {
    regionId: values.option(setupBlocks.region),
    token: values.text(setupBlocks.token),
    tokenOwner: values.text(setupBlocks.tokenOwner),
    organizationalUnitId: values.text(setupBlocks.organizationalUnit),
    approvers: values.users(setupBlocks.approvers),
    approvalsChannelId: values.conversation(setupBlocks.approvalsChannel),
    deleteGraceMinutes: values.text(setupBlocks.deleteGrace),
    usersPerHour: values.text(setupBlocks.usersPerHour),
  };
}
