import { z } from 'zod';
import { definePager } from '../../../slack/ui/pager.ts';

/** The name of the approvable action. */
export const addDrillActionId = 'drills.add';
export const newDrillActionId = 'drills.new';
export const endDrillActionId = 'drills.end';

/** Where the drill posts; without it, where the button is. */
export const newDrillValue = z.object({ channelId: z.string().optional() });
export const drillRef = z.object({ channelId: z.string(), drillId: z.uuid() });

/** A page of the runs that have ended: the position of its first, from 0. */
const reportQuery = z.object({ start: z.int().min(0) });
export type ReportQuery = z.infer<typeof reportQuery>;
export const reportPager = definePager('drills.report', 'restore drills', reportQuery);
