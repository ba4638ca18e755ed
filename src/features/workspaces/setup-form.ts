import { z } from 'zod';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { setupBlocks } from './views/ids.ts';
import { readUnitInput } from './views/unit-field.ts';

/** Where an answer goes once the modal is closed. */
export const setupOrigin = z.object({ channelId: z.string().optional() });

export const setupMetadata = setupOrigin.extend({
  /** So when the form was opened; whether a token is needed is judged when it is sent. */
  hasStoredToken: z.boolean().default(false),
  /**
   * How often the setup had been saved when it filled the form. Forms opened before migration 009
   * carry the id of the view that had saved last instead, or ''.
   */
  revision: z.union([z.int().min(0), z.string().max(100)]).optional(),
  /** In a modal that has saved already: what is sent from there is another submission. */
  isUnitChoice: z.boolean().default(false),
});
export type SetupMetadata = z.infer<typeof setupMetadata>;

/** What an admin typed or chose. `token` is undefined when left empty: the stored one stays. */
export type SetupForm = {
  regionId: string | undefined;
  token: string | undefined;
  tokenOwner: string | undefined;
  organizationalUnitId: string | undefined;
  /** As the menu called it, if it was chosen from one. */
  unitName: string | undefined;
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
    ...readUnitInput(values),
    approvers: values.users(setupBlocks.approvers),
    approvalsChannelId: values.conversation(setupBlocks.approvalsChannel),
    deleteGraceMinutes: values.text(setupBlocks.deleteGrace),
    usersPerHour: values.text(setupBlocks.usersPerHour),
  };
}
