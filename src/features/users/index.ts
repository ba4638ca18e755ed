export { ChangeNotConfirmedError } from './change-not-confirmed-error.ts';
export { knowsUser } from './knows-user.ts';
export { userActions } from './user-actions.ts';
