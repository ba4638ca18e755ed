/** Why a wish was refused, by the short name that the log keeps. The guards have theirs as labels. */
const refusals = new Map([
  ['not about the person who asks', 'it is, or may be, about the person who asks'],
  ['not the last enabled administrator', 'this is, or may be, the last enabled administrator'],
  ["not the owner of Belay's own token", "they own Belay's token"],
  ['connection-replaced', 'an admin had just changed the connection'],
  ['no-audience', 'nobody else would have seen the request'],
  ['no-approver', 'nobody else may approve it'],
  ['subject-gone', 'what it is about is no longer there'],
  ['not-posted', 'Belay cannot post in the channel'],
  ['gone', 'the request no longer exists'],
  ['own-request', 'nobody decides on their own request'],
  ['not-yours', 'only the person who asked can withdraw it'],
  ['not-approver', 'they are not an approver here'],
  ['not_approver', 'only approvers and admins may'],
  ['about-you', 'it is, or may be, about them'],
  ['too-many', 'as many users as setup allows had been approved within the hour'],
  ['due', 'its time had come'],
  ['too-late', 'the request was closed'],
]);

/** Why Belay went no further. */
const objections = new Map([
  ['asker', 'the person who asked is no longer a full member'],
  ['approver', 'the person who approved may no longer decide'],
  ['connection', 'the connection had been changed'],
  ['connection_changed', 'the connection was changed'],
  ['guard', 'a safety check was against it'],
  ['subject_changed', 'the user had changed since the request'],
  ['gone', 'Belay cannot see the user any more'],
  ['not_posted', 'it could not be posted'],
  ['interrupted', 'Belay was interrupted'],
]);

/** Short names of later times are shown as they are: `too_many`. */
export function refusalWords(fact: unknown): string | undefined {
  return wordsFor(fact, refusals);
}

export function objectionWords(fact: unknown): string | undefined {
  return wordsFor(fact, objections);
}

function wordsFor(fact: unknown, known: Map<string, string>): string | undefined {
  if (typeof fact !== 'string' || !fact) return undefined;
  return known.get(fact) ?? fact.replaceAll(/[_-]/g, ' ');
}
