import { z } from 'zod';
import type { Watch } from '../watch.ts';

export const editActionId = 'watches.edit';
export const endActionId = 'watches.end';
export const viewActionId = 'watches.view';

export const editComplianceActionId = 'watches.edit_compliance';
export const endComplianceActionId = 'watches.end_compliance';

export const endPoliciesActionId = 'watches.end_policies';

export const editMuteActionId = 'mutes.edit';
export const endMuteActionId = 'mutes.end';
/** *View held alerts*, and *View alerts* in the summary of what was held. */
export const viewHeldActionId = 'mutes.view';

export const muteValue = z.object({ channelId: z.string(), muteId: z.uuid() });
export const heldValue = z.union([
  muteValue,
  z.object({ channelId: z.string(), watchId: z.uuid(), since: z.int().optional() }),
]);

/** The value of *Edit* and *View*. */
export const watchValue = z.object({ watchId: z.uuid() });

/** The value of *End watch*, with the version of the watch that its confirmation describes. */
export const shownWatchValue = watchValue.extend({ changedAt: z.int().optional() });

export function shownWatch({ id, changedAt }: Watch): z.infer<typeof shownWatchValue> {
  return { watchId: id, changedAt: changedAt?.getTime() };
}

/** The value of *End watch* of a policy watch: a channel has at most one of a connection. */
export const policyWatchValue = z.object({
  channelId: z.string(),
  originId: z.uuid(),
});

/** Whether the form has a menu of user groups: without it, the group stays as it is. */
const hasGroups = z.boolean();
export const editMetadata = watchValue.extend({ channelId: z.string().optional(), hasGroups });
export const editComplianceMetadata = editMetadata.omit({ hasGroups: true });
export const createMetadata = z.object({ channelId: z.string(), hasGroups });
