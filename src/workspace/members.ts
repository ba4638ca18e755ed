import { z } from 'zod';

/** Slack ids of people (`U…`, `W…`) and of user groups (`S…`). */
export const members = z.array(z.string().regex(/^[UWS][A-Z0-9]+$/)).max(50);

/** Whether the id is that of a user group. */
export const isUserGroup = (id: string): boolean => id.startsWith('S');
