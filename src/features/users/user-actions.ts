import { bold, code } from '../../slack/ui/mrkdwn.ts';
import {
  type ActionEntry,
  type ApprovableAction,
  type Check,
  type CheckContext,
  defineAction,
} from '../approvals/index.ts';
import { checkLastAdministrator } from './check-last-administrator.ts';
import { checkNamedOwner, checkTokenOwner } from './check-token-owner.ts';
import { isSubject } from './is-subject.ts';
import { lookAtUser } from './preview-user.ts';
import { userDifferences } from './user-differences.ts';
import {
  type DeletePayload,
  deletePayload,
  type RenamePayload,
  renamePayload,
  type UserPayload,
  userPayload,
} from './user-payload.ts';
import { type UserSnapshot, userSnapshotSchema } from './user-snapshot.ts';
import { deleteSteps, disableStep, enableStep, keepStep, renameStep } from './user-steps.ts';
import { deletionWarning } from './views/format-deletion.ts';
import { userMrkdwn } from './views/format-user.ts';
import { askActionIds, type Verb } from './views/ids.ts';
import { askButton } from './views/request-button.ts';

export const disable: ApprovableAction<UserPayload, UserSnapshot> = {
  ...commonTo('disable'),
  payload: userPayload,
  isCapped: true,
  style: 'primary',
  summary: (user) => `disable ${userMrkdwn(user)}`,
  steps: () => [disableStep],
  checks: checkLoss,
};

export const enable: ApprovableAction<UserPayload, UserSnapshot> = {
  ...commonTo('enable'),
  payload: userPayload,
  isCapped: false,
  style: 'primary',
  summary: (user) => `re-enable ${userMrkdwn(user)}`,
  steps: () => [enableStep],
  checks: async () => [],
};

export const rename: ApprovableAction<RenamePayload, UserSnapshot> = {
  ...commonTo('rename'),
  payload: renamePayload,
  isCapped: false,
  style: 'primary',
  summary: (user) => `rename ${userMrkdwn(user)} to ${bold(user.newFullName)}`,
  steps: () => [renameStep],
  checks: async () => [],
};

/** Named so because `delete` is a word of the language. */
export const remove: ApprovableAction<DeletePayload, UserSnapshot> = {
  ...commonTo('delete'),
  payload: deletePayload,
  isCapped: true,
  style: 'danger',
  summary: (user) => `delete ${userMrkdwn(user)}`,
  warning: ({ graceMinutes }) => deletionWarning(graceMinutes),
  steps: deleteSteps,
  keep: keepStep,
  checks: checkLoss,
};

/** What may be done to a user of the service, each only with a second person's approval. */
export const userActions: ActionEntry[] = [
  defineAction(disable),
  defineAction(enable),
  defineAction(rename),
  defineAction(remove),
];

/** What does not depend on what is done to the user. */
function commonTo(verb: Verb) {
  return {
    name: askActionIds[verb],
    snapshot: userSnapshotSchema,
    subjectId: ({ id }: UserPayload) => id,
    // The summary has the name and the address already.
    details: ({ id }: UserPayload) => [{ label: 'User id', value: code(id) }],
    askAgain: (user: UserPayload) => askButton(verb, 'Ask again…', user),
    look: lookAtUser,
    differences: userDifferences,
    isSubject,
  };
}

/** For what takes a user away from the service. */
async function checkLoss(
  _payload: UserPayload,
  snapshot: UserSnapshot,
  context: CheckContext,
): Promise<Check[]> {
  const { client, tokenOwner } = context;
  const ofOwner = checkTokenOwner(snapshot, tokenOwner);
  const unknownOwner =
    ofOwner.result === 'passed' ? await checkNamedOwner(client, tokenOwner) : undefined;
  return [await checkLastAdministrator(snapshot, context), unknownOwner ?? ofOwner];
}
