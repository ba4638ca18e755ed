import { z } from 'zod';

/** Enough of a user to find them and to say who is meant. */
export const userPayload = z.object({
  id: z.string(),
  fullName: z.string().optional(),
  email: z.string().optional(),
});
export type UserPayload = z.infer<typeof userPayload>;

export const renamePayload = userPayload.extend({ newFullName: z.string() });
export type RenamePayload = z.infer<typeof renamePayload>;

const defaultGraceMinutes = 30;

export const deletePayload = userPayload.extend({
  /** How long the user is kept, disabled, before they are deleted. */
  graceMinutes: z.int().nonnegative().default(defaultGraceMinutes),
});
export type DeletePayload = z.infer<typeof deletePayload>;
