import type { Random } from '../../../../playground/service/data/random.ts';
import type { Site } from './open-world.ts';

/** What a command can name, all of it in the workspace of the person who types it. */
type Names = { word: string; user: string; otherUser: string; policy: string; colleague: string };

/** What people type after `/belay`, by subcommand. A test compares these with the grammar. */
export const commands: Readonly<Record<string, (names: Names) => string[]>> = {
  help: () => ['', 'help', 'help bulk'],
  version: () => ['version'],
  // The second connection is named like the word.
  alerts: ({ word }) => [
    ...['alerts', `alerts ${word}`, 'alerts severity:error', `alerts on:${word}`],
    ...['alerts severity:error as morning', 'alerts morning', 'alerts filters', 'alerts new'],
  ],
  desk: () => ['desk'],
  mute: ({ word }) => ['mute', `mute ${word}`, 'mute type:policy_violated for 2h'],
  watch: ({ policy }) => [
    ...['watch', 'watch all', 'watch severity:error', 'watch policies'],
    `watch compliance ${policy} above 0`,
  ],
  digest: () => ['digest', 'digest new'],
  compliance: ({ policy }) => ['compliance', `compliance ${policy}`],
  policies: ({ word }) => [
    ...['policies', `policies ${word}`, 'policies create', 'policies changes'],
  ],
  policy: ({ policy, word }) => [`policy ${policy}`, `policy ${policy} on:${word}`],
  users: ({ word, user }) => [`users ${word}`, `users ${user}`],
  disable: ({ user, otherUser }) => [`disable ${user}`, `disable ${user}, ${otherUser}`],
  enable: ({ user }) => [`enable ${user}`],
  rename: ({ user }) => [`rename ${user}`],
  delete: ({ user }) => [`delete ${user}`],
  bulk: ({ user, otherUser }) => [
    ...['bulk', 'bulk delete', `bulk disable ${user} ${otherUser}`],
    `bulk enable ${user}, ${otherUser}`,
  ],
  requests: () => ['requests', 'requests mine', 'requests waiting'],
  away: ({ colleague }) => ['away', `away @${colleague} until 2w`, 'away off'],
  audit: ({ colleague }) => ['audit', `audit by:@${colleague}`, 'audit since:7d'],
  access: () => ['access'],
  setup: () => ['setup'],
  connection: ({ word }) => ['connection', `connection use ${word}`, 'connection use default'],
  doctor: () => ['doctor', 'doctor all'],
  restore: ({ word }) => ['restore', `restore ${word}`],
  tasks: () => ['tasks'],
  drill: () => ['drill', 'drill report'],
  invite: ({ word }) => [`invite ${word}@example.com`],
};

export function pickCommand({ tenant, people }: Site, random: Random): string {
  const { service, portal, word } = tenant;
  const pickUser = () => random.pick(service.users(portal.id))?.email ?? '';
  const names: Names = {
    word,
    user: pickUser(),
    otherUser: pickUser(),
    policy: random.pick(service.policies(portal.id))?.name ?? '',
    colleague: random.pick(people)?.name ?? '',
  };
  return random.pick(Object.values(commands).flatMap((list) => list(names))) ?? '';
}
