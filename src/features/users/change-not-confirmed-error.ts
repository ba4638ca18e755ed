/** The service answered a change of a user with a user who does not show it. */
export class ChangeNotConfirmedError extends Error {
  override name = 'ChangeNotConfirmedError';
}
