import { z } from 'zod';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { definePager } from '../../../slack/ui/pager.ts';
import { alertSearchSchema } from '../alert-search.ts';
import { maxTitleLength } from './format-alert.ts';

export const detailsActionId = 'alerts.details';
export const filterActionId = 'alerts.filter';
/** *View alerts* of messages about something else, such as a policy. */
export const viewActionId = 'alerts.view';
/** *Watch this filter*. The listener is in the feature of watches, which alerts don't import. */
export const watchActionId = 'alerts.watch';
/** *Mute alerts like this…*. The listener is in the feature of watches, which alerts don't import. */
export const muteActionId = 'mutes.new';
/** *View policy*. The listener is in the feature of policies, which alerts don't import. */
export const viewPolicyActionId = 'policies.show';
/** *Restore…*. The listener is in the feature of restores, which alerts don't import. */
export const viewBackupsActionId = 'restores.show';
export const noteActionId = 'alerts.note';
export const clearActionId = 'alerts.clear';
export const clearAllActionId = 'alerts.clearAll';
export const acknowledgeActionId = 'alerts.acknowledge';
export const assignActionId = 'alerts.assign';
export const releaseActionId = 'alerts.release';
export const snoozeActionId = 'alerts.snooze';
export const endSnoozeActionId = 'alerts.end_snooze';

/** The value of *View details*, *Edit note* and *Clear alert*, and the metadata of the modals behind them. */
export const alertValue = z.object({
  alertId: z.string().min(1).max(maxIdLength),
  /** Where the answer to a modal goes. */
  channelId: z.string().optional(),
  /** What the person sees, for buttons that act before the alert is read. */
  title: z.string().min(1).max(maxTitleLength).optional(),
  raisedCount: z.number().optional(),
});
export type AlertValue = z.infer<typeof alertValue>;

/** Of *Snooze*: how long, or a form that asks for another time. */
export const snoozeValue = alertValue.extend({ until: z.enum(['1h', 'tomorrow']).optional() });

export const viewSavedActionId = 'alerts.saved.view';
export const deleteSavedActionId = 'alerts.saved.delete';
/** The value of the buttons of a saved filter. */
export const savedRef = z.object({
  owner: z.string().max(maxIdLength),
  name: z.string().max(maxIdLength),
});
export type SavedRef = z.infer<typeof savedRef>;
export const savedPager = definePager(
  'alerts.saved',
  'saved filters',
  z.object({ start: z.int().min(0) }),
);

/** The value of *Filter*, *View alerts* and *Watch this filter*. */
export const searchValue = z.object({ search: alertSearchSchema });
export const newMuteValue = searchValue.extend({ channelId: z.string().optional() });
export const filterMetadata = searchValue.extend({ channelId: z.string().optional() });

/** The page to show, after the alerts in `shown`; with the search alone, the first one. */
export const alertPager = definePager(
  'alerts',
  'alerts',
  searchValue.extend({
    asOf: z.iso.datetime().optional(),
    listedAt: z.iso.datetime().optional(),
    shown: z
      .string()
      .regex(/^[\w-]*$/)
      .optional(),
  }),
);
