import type { User } from '../resources.ts';
import type { Random } from './random.ts';
import { superAdminAccess } from './roles.ts';

export const defaultUserCount = 240;
const oneDay = 24 * 60 * 60 * 1000;

// No combination may contain "ana" or be "Kim Lee": those are named users, and tests count them.
const givenNames = [
  ...['Amir', 'Beatriz', 'Chen', 'Daniel', 'Elif', 'Femi', 'Greta', 'Hugo', 'Ines', 'Jonas'],
  ...['Kofi', 'Lucia', 'Maya', 'Niko', 'Olga', 'Priya', 'Quentin', 'Rosa', 'Sven', 'Tomoko'],
  ...['Umar', 'Vera', 'Wiktor', 'Yusuf'],
];
const familyNames = [
  ...['Abbott', 'Becker', 'Castro', 'Dubois', 'Eriksen', 'Ferreira', 'Greco', 'Horvat', 'Ito'],
  ...['Jansen', 'Kovac', 'Lindgren', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quiroga', 'Rossi'],
  ...['Singh', 'Takeda', 'Ueda', 'Vargas', 'Weber', 'Yilmaz', 'Zimmer'],
];

type UserOptions = {
  now: Date;
  random: Random;
  firstId: number;
  namedUsers: readonly Partial<User>[];
  count: number;
};

/** Users with distinct names, except for repeated names among the named users. */
export function createUsers({ now, random, firstId, namedUsers, count }: UserOptions): User[] {
  const nameOffset = random.integer(0, givenNames.length * familyNames.length - 1);
  return Array.from({ length: count }, (_, index) => {
    const user = createUser({ id: String(firstId + index), index, now, random, firstId });
    const ownAccess = index === 0 ? { access: superAdminAccess } : {};
    return {
      ...user,
      ...ownAccess,
      ...nameFor(nameOffset, index),
      ...namedUserAt(namedUsers, index),
    };
  });
}

function createUser(
  options: Omit<UserOptions, 'namedUsers' | 'count'> & { id: string; index: number },
): User {
  const { id, index, now, random, firstId } = options;
  const isOwner = index === 0;
  const isConfirmed = isOwner || !random.chance(0.1);
  const wasSeen = isConfirmed && (isOwner || !random.chance(0.05));
  const lastActivity = new Date(now.getTime() - random.integer(60_000, 60 * oneDay));
  return {
    id,
    full_name: '',
    email: '',
    is_confirmed: isConfirmed,
    is_enabled: isOwner || !random.chance(0.12),
    ...(wasSeen ? { last_activity_timestamp: lastActivity.toISOString() } : {}),
    inviter: String(firstId + (index < 10 ? 0 : random.integer(0, 9))),
  };
}

/**
 * Steps through all pairs of names. The step and the number of pairs have no common factor, so no
 * pair repeats before all were used; then a number is appended.
 */
function nameFor(offset: number, index: number): Pick<User, 'full_name' | 'email'> {
  const pairs = givenNames.length * familyNames.length;
  const pair = (offset + index * 157) % pairs;
  const round = Math.floor(index / pairs);
  const given = givenNames[pair % givenNames.length] ?? '';
  const family = familyNames[Math.floor(pair / givenNames.length)] ?? '';
  return {
    full_name: round === 0 ? `${given} ${family}` : `${given} ${family} ${round + 1}`,
    email: `${given}.${family}${round === 0 ? '' : round + 1}@example.com`.toLowerCase(),
  };
}

/** About one named user per page, so that finding all of them means reading all pages. */
function namedUserAt(
  namedUsers: readonly Partial<User>[],
  index: number,
): Partial<User> | undefined {
  const [first, every] = [7, 17];
  return (index - first) % every === 0 ? namedUsers[(index - first) / every] : undefined;
}
