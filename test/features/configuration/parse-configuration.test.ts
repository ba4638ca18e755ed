import { expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/features/configuration/index.ts';

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
  [lines('    settings: {usersPerHour: 0}'), 'workspaces.T1.settings.usersPerHour: '],
  [
    lines('    policyWatches:', '      - {channel: general, connection: main, owner: U1}'),
    "belay.yaml:5: workspaces.T1.policyWatches.0.channel: isn't the ID of a channel in Slack",
  ],
  [lines('    digests: []', '    digests: []'), 'belay.yaml:5:5: invalid YAML (DUPLICATE_KEY).'],
])('refuses %j with line and path', (text, words) => {
  expect(() => parseConfiguration(text, 'belay.yaml')).toThrow(words);
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

function lines(...more: string[]): string {
  return [...head, ...more].join('\n');
}
