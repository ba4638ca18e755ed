import { z } from 'zod';
import { maxIdLength } from '../../../slack/ui/codec.ts';

/** *Select* beside a policy; *Show* in messages of earlier versions. */
export const showActionId = 'compliance.show';
/** The menu *View policy*. */
export const menuActionId = 'compliance.menu';
export const previousActionId = 'compliance.previous';
export const nextActionId = 'compliance.next';
export const refreshActionId = 'compliance.refresh';

/** The value of *Select* and of the options of *View policy*. */
export const showValue = z.object({ policyId: z.string().min(1).max(maxIdLength) });

/** The value of the buttons that show a page: the position of its first policy, from 0. */
export const pageValue = z.object({ start: z.int().min(0) });
