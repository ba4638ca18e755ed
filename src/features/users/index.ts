export { userExists } from './find-users.ts';
export { invitationActions } from './invite/invite-action.ts';
export { userActions } from './user-actions.ts';
