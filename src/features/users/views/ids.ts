import { z } from 'zod';
import type { RequestButton } from '../../../requests/action.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { definePager } from '../../../slack/ui/pager.ts';

export const showActionId = 'users.show';
export const chooseActionId = 'users.choose';

export const userStates = ['enabled', 'disabled', 'invited'] as const;

/** Longer text finds nobody. */
export const maxQueryLength = 100;
/** A page of the users that contain the text and are in the state: the position of its first, from 0. */
const userQuery = z.object({
  text: z.string().max(maxQueryLength),
  state: z.enum(userStates).optional(),
  start: z.int().min(0),
});
export type UserQuery = z.infer<typeof userQuery>;
export const userPager = definePager('users.list', 'users', userQuery);

export const verbs = ['disable', 'enable', 'rename', 'delete'] as const;
/** What can be requested for a user of the service. */
export type Verb = (typeof verbs)[number];

/** Whether the user loses access. Guards protect some users from that. */
export const isRemoval = (verb: Verb): boolean => verb === 'disable' || verb === 'delete';

/** The buttons that open a request form; also the names of the approvable actions. */
export const requestActionIds = {
  disable: 'users.disable',
  enable: 'users.enable',
  rename: 'users.rename',
  delete: 'users.delete',
} as const satisfies Record<Verb, string>;

/** Opens the form of an invitation; also the name of the approvable action. */
export const inviteActionId = 'users.invite';

/**
 * What is filled into the form. `userId`: of a user who was invited, hasn't accepted, and is invited again.
 * `isRepeat`: the person was asked about an open request to invite them.
 */
export const inviteValue = z.object({
  userId: z.string().optional(),
  email: z.string().optional(),
  fullName: z.string().optional(),
  channelId: z.string().optional(),
  isRepeat: z.boolean().optional(),
});

export function inviteButton(text: string, value: z.infer<typeof inviteValue>): RequestButton {
  return { text, actionId: inviteActionId, value: encodeValue(value) };
}

/** What can be requested for several users at once. */
export const bulkVerbs = ['disable', 'enable', 'delete'] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

export const bulkOpenActionId = 'users.bulk_open';
export const bulkContinueActionId = 'users.bulk_continue';

/** The button that opens an empty form for several users. */
export function bulkFormButton(verb: BulkVerb, text: string): RequestButton {
  return { text, actionId: bulkOpenActionId, value: encodeValue({ verb }) };
}

/** The button that shows the user as they are now. */
export function viewButton({ id }: { id: string }): RequestButton {
  return { text: 'View user', actionId: showActionId, value: encodeValue({ userId: id }) };
}

/** The button, on an earlier request, that opens the form for another one about the same user. */
export function requestButton(verb: Verb, text: string, { id }: { id: string }): RequestButton {
  return { text, actionId: requestActionIds[verb], value: encodeValue({ userId: id }) };
}
