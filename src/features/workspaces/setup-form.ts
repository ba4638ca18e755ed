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
  organizationalUnitId: string | undefined;
  approvers: string[];
  approvalsChannelId: string | undefined;
};

export function readSetupForm(values: ViewValues): SetupForm {
  return {
    regionId: values.option(setupBlocks.region),
    token: values.text(setupBlocks.token),
    organizationalUnitId: values.text(setupBlocks.organizationalUnit),
    approvers: values.users(setupBlocks.approvers),
    approvalsChannelId: values.conversation(setupBlocks.approvalsChannel),
  };
}
