import type { Person } from '../../slack/api/person.ts';
import { mailboxOf } from './email-address.ts';
import type { UserSnapshot } from './user-snapshot.ts';

/**
 * Whether a person in Slack is this user of the service, which only their e-mail addresses tell.
 * `unknown` when either has none that can be read.
 */
export function isSubject(
  { email }: Pick<UserSnapshot, 'email'>,
  person: Pick<Person, 'email'>,
): 'no' | 'yes' | 'unknown' {
  const [subject, other] = [mailboxOf(email), mailboxOf(person.email)];
  if (subject === undefined || other === undefined) return 'unknown';
  return subject === other ? 'yes' : 'no';
}
