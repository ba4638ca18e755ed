import type { User } from './users.ts';

/** Which users are meant. */
export type UserFilter = {
  /** Part of the full name, whatever its case. */
  name?: string | undefined;
};

/** The same meaning as on a service that filters, for those that do not. */
export function matchesUserFilter({ fullName = '' }: User, { name = '' }: UserFilter): boolean {
  return name === '' || fullName.toLowerCase().includes(name.toLowerCase());
}
