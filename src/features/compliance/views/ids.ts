import { z } from 'zod';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { definePager } from '../../../slack/ui/pager.ts';
import { type Period, periods } from '../history.ts';

/** *Select* beside a policy. */
export const showActionId = 'compliance.show';
/** The menu *View policy*. */
export const menuActionId = 'compliance.menu';

/** The value of *Select* and of the options of *View policy*. */
export const showValue = z.object({ policyId: z.string().min(1).max(maxIdLength) });

/** *Last 30 days* and the like, below a chart. */
export const periodActionId = (period: Period) => `compliance.days_${period}`;

const period = z.literal(periods);

/** The position of the page's first policy, from 0. */
const pageValue = z.object({ start: z.int().min(0), period });
export const compliancePager = definePager('compliance', 'compliance of policies', pageValue);

/** The value of the buttons for a period, in a list or of one policy. */
export const periodValue = z.union([showValue.extend({ period }), pageValue]);
