import type { Subcommand } from '../../slack/interactions/subcommand.ts';

/** A line of the short help, and what `/belay help <name>` shows. */
export type HelpTopic = {
  /** Also the subcommand that the short help shows. */
  name: string;
  title: string;
  summary: string;
  /** All subcommands that the topic explains. */
  subcommands: string[];
  /** To copy as they are. */
  examples: [string, string];
};

/** In the order of the short help. */
export const helpTopics: HelpTopic[] = [
  {
    name: 'alerts',
    title: 'Alerts',
    summary: 'Active alerts',
    subcommands: ['alerts', 'desk'],
    examples: ['/belay alerts severity:error since:2d', '/belay alerts policy:Gold'],
  },
  {
    name: 'watch',
    title: 'Watches',
    summary: 'Post new alerts here, and mute alerts',
    subcommands: ['watch', 'mute'],
    examples: ['/belay watch severity:error', '/belay mute type:policy_violated'],
  },
  {
    name: 'digest',
    title: 'Digests',
    summary: 'Scheduled summaries',
    subcommands: ['digest'],
    examples: ['/belay digest new', '/belay digest'],
  },
  {
    name: 'compliance',
    title: 'Compliance',
    summary: 'Policy compliance',
    subcommands: ['compliance'],
    examples: ['/belay compliance Gold', '/belay watch compliance Gold above 3'],
  },
  {
    name: 'policies',
    title: 'Policies',
    summary: 'Backup policies',
    subcommands: ['policies', 'policy'],
    examples: ['/belay policies gold', '/belay policy Gold'],
  },
  {
    name: 'restore',
    title: 'Restores',
    summary: 'Restore a volume, test restores',
    subcommands: ['restore', 'drill', 'tasks'],
    examples: ['/belay restore orders-db', '/belay drill'],
  },
  {
    name: 'users',
    title: 'Users',
    summary: 'Find, invite, disable or delete users',
    subcommands: ['users', 'invite', 'disable', 'enable', 'rename', 'delete', 'bulk'],
    examples: ['/belay users ana', '/belay disable ana.silva@example.com'],
  },
  {
    name: 'requests',
    title: 'Requests',
    summary: 'Open requests',
    subcommands: ['requests', 'away'],
    examples: ['/belay requests waiting', '/belay away @ben until 2026-12-01'],
  },
  {
    name: 'audit',
    title: 'Audit log',
    summary: 'Who did what',
    subcommands: ['audit'],
    examples: ['/belay audit since:7d', '/belay audit event:denied'],
  },
  {
    name: 'setup',
    title: 'Setup',
    summary: 'Connection and approvers',
    subcommands: ['setup'],
    examples: ['/belay setup', '/belay doctor'],
  },
  {
    name: 'access',
    title: 'Access',
    summary: 'Who can do what',
    subcommands: ['access'],
    examples: ['/belay access', '/belay doctor'],
  },
  {
    name: 'connection',
    title: 'Connections',
    summary: 'Connections to the service',
    subcommands: ['connection'],
    examples: ['/belay alerts on:europe', '/belay connection use europe'],
  },
  {
    name: 'doctor',
    title: 'Doctor',
    summary: 'Find problems',
    subcommands: ['doctor'],
    examples: ['/belay doctor', 'npm run -s admin -- doctor'],
  },
];

/** Topics with a subcommand that the person can see. */
export function topicsOf(visible: readonly Subcommand[]): HelpTopic[] {
  const names = visible.map(({ name }) => name);
  return helpTopics.filter(({ subcommands }) => subcommands.some((name) => names.includes(name)));
}
