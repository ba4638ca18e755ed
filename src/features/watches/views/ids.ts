import { z } from 'zod';
import type { Watch } from '../watch.ts';

export const editActionId = 'watches.edit';
export const endActionId = 'watches.end';
export const editCallbackId = 'watches.edit';

/** The value of *Edit…*. */
export const watchValue = z.object({ watchId: z.uuid() });

/** The value of *End*, with the version of the watch that its confirmation describes. */
export const shownWatchValue = watchValue.extend({ changedAt: z.int().optional() });

export function shownWatch({ id, changedAt }: Watch): z.infer<typeof shownWatchValue> {
  return { watchId: id, changedAt: changedAt?.getTime() };
}

export const editMetadata = watchValue.extend({
  teamId: z.string(),
  channelId: z.string().optional(),
  /** Values that the filter accepts, beyond the documented ones. */
  severities: z.array(z.string()).optional(),
  types: z.array(z.string()).optional(),
  /** The values above are those of the filter alone: all of them would not fit. */
  lacksValues: z.boolean().optional(),
});
