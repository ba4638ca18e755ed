export { userExists } from './find-users.ts';
export { userActions } from './user-actions.ts';
export { ChangeNotConfirmedError } from './user-steps.ts';
