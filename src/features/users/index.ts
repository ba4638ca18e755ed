export { userExists } from './find-users.ts';
export { userActions } from './user-actions.ts';
