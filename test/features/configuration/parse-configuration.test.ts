import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toFile } from '../../../src/features/configuration/file/canonical.ts';
import type { Workspace } from '../../../src/features/configuration/file/configuration.ts';
import { parseConfiguration } from '../../../src/features/configuration/index.ts';
import { resolveWorkspace } from '../../../src/features/configuration/plan/resolve-workspace.ts';
import { defaultSettings } from '../../../src/workspace/settings/document.ts';

const head = ['version: 1', 'workspaces:', '  T1:'];

it.each([
  ['version: 1\nworkspaces: [', 'belay.yaml:2:14: invalid YAML (BAD_INDENT).'],
  ['version: 2\nworkspaces: {}', 'belay.yaml:1: version: '],
  ['version: 1\nworkspaces: {}\nregions: []', 'belay.yaml:3: regions: unknown key.'],
  [
    lines('    settings:', '      approver: [U1]'),
    'belay.yaml:5: workspaces.T1.settings.approver: unknown key.',
  ],
  [
    lines(
      '    rules:',
      '      users.delete:',
      '        approvals:',
      '          - {form: [U1], count: 1}',
    ),
    'belay.yaml:7: workspaces.T1.rules.users.delete.approvals.0',
  ],
  [
    lines('    rules:', '      users.remove: {}'),
    'belay.yaml:5: workspaces.T1.rules.users.remove: ',
  ],
  [lines('    roles: {owners: [U1]}'), 'workspaces.T1.roles.owners: unknown key.'],
  [lines('    watches: []'), 'belay.yaml:4: workspaces.T1.watches: unknown key.'],
  [lines('    {}', '  __proto__: {}'), 'belay.yaml:5: workspaces.__proto__: unknown key.'],
  [
    lines('    rules:', '      __proto__: {hoursToRun: 4}'),
    'belay.yaml:5: workspaces.T1.rules.__proto__: unknown key.',
  ],
  [lines('    settings: {usersPerHour: 0}'), 'workspaces.T1.settings.usersPerHour: '],
  [
    lines('    policyWatches:', '      - {channel: general, connection: main, owner: U1}'),
    "belay.yaml:5: workspaces.T1.policyWatches.0.channel: isn't a Slack channel ID",
  ],
  [
    lines(
      '    alertWatches:',
      '      - channel: C0OPS',
      '        connection: main',
      '        owner: U1',
      "        quietHours: {from: '22:00', to: '07:00', timeZone: UTC, weekdays: [monday]}",
    ),
    'belay.yaml:8: workspaces.T1.alertWatches.0.quietHours.weekdays: unknown key.',
  ],
  [lines('    digests: []', '    digests: []'), 'belay.yaml:5:5: invalid YAML (DUPLICATE_KEY).'],
  [lines('    roles: *none'), 'belay.yaml:4: an alias has no matching anchor before it.'],
  [aliasBomb(), 'belay.yaml:1: too many aliases.'],
  [
    lines('    rules:', '      users.delete: {reasonFormat: OPS-#}'),
    'belay.yaml:5: workspaces.T1.rules.users.delete.reasonFormat: unknown key.',
  ],
  [
    lines('    protectedUsers: {roles: ["Own\u200ber"]}'),
    'belay.yaml:4: workspaces.T1.protectedUsers.roles.0: has invisible characters',
  ],
  [
    lines('    protectedUsers: {addresses: [ana]}'),
    "belay.yaml:4: workspaces.T1.protectedUsers.addresses.0: isn't an email address.",
  ],
  [
    lines('    protectedUsers: {domains: [com]}'),
    "belay.yaml:4: workspaces.T1.protectedUsers.domains.0: isn't a domain. Example: example.com.",
  ],
  [
    lines('    protectedUsers: {roles: ["Owner\u2060"]}'),
    'belay.yaml:4: workspaces.T1.protectedUsers.roles.0: has invisible characters',
  ],
  ...[
    ...['SLACK_BOT_TOKEN', 'BELAY_ENCRYPTION_KEYS'],
    ...['DATABASE_URL', 'DATABASE_DIRECT_URL'],
  ].map((name) => [
    lines('    connections:', `      - {name: main, region: us, token: {env: ${name}}}`),
    "belay.yaml:5: workspaces.T1.connections.0.token: names one of Belay's own secrets, which would be sent to the service.",
  ]),
])('refuses %j with line and path', (text, words) => {
  expect(() => parseConfiguration(text, 'belay.yaml')).toThrow(words);
});

it('accepts the example of docs/operations.md', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const example = /^```yaml\n(version: 1\n[\s\S]*?)^```/m.exec(document)?.[1] ?? '';
  const { workspaces, errorAt } = parseConfiguration(example, 'example');
  const [given] = workspaces.values();
  expect(Object.keys(given ?? {}).toSorted()).toEqual(Object.keys(toFile(empty)).toSorted());
  const wanted = resolveWorkspace(given ?? {}, empty, errorAt);
  expect(wanted.items.filter(({ section }) => section.name === 'digests')).toHaveLength(1);
});

it.each([
  ['{severities: [error, warning]}', '{severities: [warning, error]}'],
  ['{}', '{words: []}'],
])('refuses two watches with the same filter, written as %s and %s', (one, other) => {
  const watch = (filter: string) =>
    `      - {channel: C0OPS, connection: main, owner: U1, filter: ${filter}}`;
  const text = lines(
    '    connections:',
    '      - {name: main, region: us, token: {env: TOKEN}}',
    '    alertWatches:',
    watch(one),
    watch(other),
  );
  const { workspaces, errorAt } = parseConfiguration(text, 'belay.yaml');
  const [given] = workspaces.values();
  const atWorkspace = (path: PropertyKey[], problem: string) =>
    errorAt(['workspaces', 'T1', ...path], problem);
  expect(() => resolveWorkspace(given ?? {}, empty, atWorkspace)).toThrow(
    'belay.yaml:8: workspaces.T1.alertWatches.1: duplicates an earlier entry',
  );
});

it('never repeats a token that was written into the file', () => {
  const secret = 'tok-5f2b9c';
  const connection = (token: string) =>
    lines('    connections:', `      - {name: main, region: us, token: ${token}}`);
  const texts = [
    connection(secret),
    connection(`{value: ${secret}}`),
    connection(`{env: [${secret}]}`),
    connection(`&a ${secret}\n  *b`),
    connection(`*${secret}`),
    connection(`"${secret}`),
  ];
  for (const text of texts) {
    try {
      parseConfiguration(text, 'belay.yaml');
      expect.unreachable();
    } catch (error) {
      expect(String(error)).toContain('belay.yaml:');
      expect(String(error)).not.toContain(secret);
    }
  }
  expect(() => parseConfiguration(connection(secret), 'belay.yaml')).toThrow(
    'workspaces.T1.connections.0.token: must be {env: NAME} or {file: PATH}, never the token itself.',
  );
});

/** Of ten values, each of which stands for ten others, four times. */
function aliasBomb(): string {
  const names = ['a', 'b', 'c', 'd'];
  const ten = (text: string) => Array.from({ length: 10 }, () => text).join();
  return names
    .map((name, at) => `${name}: &${name} [${ten(at ? `*${names[at - 1]}` : 'x')}]`)
    .join('\n');
}

function lines(...more: string[]): string {
  return [...head, ...more].join('\n');
}

const { access: _, ...plainSettings } = defaultSettings;

const empty: Workspace = {
  connections: [],
  settings: plainSettings,
  roles: { viewers: [], operators: [], auditors: [], admins: [] },
  rules: {},
  protectedUsers: { addresses: [], domains: [], roles: [] },
  items: [],
};
