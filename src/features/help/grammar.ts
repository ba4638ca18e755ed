/**
 * The words that `/belay` understands: what they are about, and what to do with it. Both can come first:
 * `new digest` is `digest new`. docs/commands.md shows these tables, and a test compares them.
 */

/** What a command can be about, by the name of its subcommand. The first word is its own. */
export const nouns = {
  alerts: ['alerts', 'alert', 'alarms', 'alarm', 'incidents', 'incident'],
  desk: ['desk', 'inbox'],
  watch: ['watch', 'watches', 'watching', 'subscribe', 'subscription', 'subscriptions'],
  mute: ['mute', 'mutes', 'muted', 'muting', 'silence', 'silences'],
  digest: ['digest', 'digests', 'report', 'reports', 'summary', 'summaries'],
  compliance: ['compliance', 'noncompliant', 'compliant', 'sla', 'slas', 'coverage'],
  policies: ['policies', 'policy'],
  restore: ['restore', 'restores', 'recover', 'volumes', 'volume', 'backups'],
  tasks: ['tasks', 'task', 'jobs', 'job', 'running'],
  drill: ['drill', 'drills'],
  users: ['users', 'user', 'people', 'accounts', 'account', 'who', 'whois'],
  invite: ['invite', 'invites', 'invitation', 'invitations', 'reinvite'],
  requests: ['requests', 'request'],
  audit: ['audit', 'log', 'logs', 'activity', 'trail'],
  setup: [
    ...['setup', 'settings', 'setting', 'config', 'configure', 'configuration', 'preferences'],
    ...['limit', 'limits', 'grace'],
  ],
  access: ['access', 'roles', 'role', 'permissions', 'rights', 'approvers'],
  connection: ['connection', 'connections', 'tenant', 'tenants'],
  doctor: ['doctor', 'health', 'diagnose', 'diagnostics', 'troubleshoot'],
  away: ['away', 'vacation', 'ooo', 'delegate', 'stand-in', 'standin'],
  help: ['help', '?', '-h', '--help', 'commands', 'usage', 'manual'],
  version: ['version', '--version', '-v', 'ping'],
} as const satisfies Record<string, readonly string[]>;
export type Noun = keyof typeof nouns;

/** What to do. Not every noun has each of them. */
export const verbs = {
  list: ['list', 'show', 'view', 'see', 'get', 'display', 'open', 'find', 'search', 'lookup'],
  new: ['new', 'add', 'create', 'make', 'schedule', 'start', 'invite'],
  edit: ['edit', 'change', 'update', 'modify', 'set'],
  end: ['end', 'stop', 'off', 'remove', 'unwatch', 'unsubscribe', 'unmute', 'clear'],
} as const satisfies Record<string, readonly string[]>;
export type Verb = keyof typeof verbs;

/** What is done to users, by the name of its subcommand. */
export const userVerbs = {
  disable: ['disable', 'deactivate', 'suspend', 'block', 'lock', 'offboard'],
  enable: [
    ...['enable', 're-enable', 'reenable', 'activate', 'reactivate', 'unblock', 'unlock'],
    ...['undisable', 'unsuspend'],
  ],
  rename: ['rename'],
  delete: ['delete'],
} as const satisfies Record<string, readonly string[]>;
export type UserVerb = keyof typeof userVerbs;

/** Lines that one word stands for, whatever follows it. */
export const shortcuts: Readonly<Record<string, string>> = {
  overview: '',
  status: '',
  home: '',
  hi: '',
  hello: '',
  hey: '',
  approve: 'requests waiting',
  approval: 'requests waiting',
  approvals: 'requests waiting',
  deny: 'requests waiting',
  reject: 'requests waiting',
  decline: 'requests waiting',
  decide: 'requests waiting',
  review: 'requests waiting',
  pending: 'requests waiting',
  waiting: 'requests waiting',
  withdraw: 'requests mine',
  cancel: 'requests mine',
  mine: 'requests mine',
  filters: 'alerts filters',
};

/** What `/belay help` is asked for, by the topic that explains it. */
export const topicWords: Readonly<Record<string, readonly string[]>> = {
  alerts: [
    'filter',
    'filters',
    'severity',
    'severities',
    'status',
    'since',
    'sort',
    'type',
    'note',
  ],
  users: ['bulk', 'undo', 'protected'],
  requests: [
    'approve',
    'approval',
    'approvals',
    'deny',
    'pending',
    'withdraw',
    'cancel',
    'break-glass',
  ],
  access: ['rule', 'rules'],
  setup: ['token', 'region', 'limits'],
};

/** At the beginning of a line they mean nothing. */
export const politeWords = 'please pls can could you i want to me belay /belay'.split(' ');
/** Between a verb and what it is about they mean nothing; adjectives only before a noun or a filter. */
export const articles = ['me', 'my', 'the', 'a', 'an', 'all'];
export const adjectives = ['any', 'every', 'new', 'active', 'current'];
