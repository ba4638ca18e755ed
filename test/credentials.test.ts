import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const oauth = {
  SLACK_SIGNING_SECRET: 'secret-signing',
  BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'secret-client',
  SLACK_STATE_SECRET: 'a-secret-of-at-least-32-characters',
  BELAY_PUBLIC_URL: 'https://belay.example/',
};

it('accepts OAuth credentials instead of a bot token', () => {
  const { slack } = readConfig(oauth);
  expect(slack.credentials).toEqual({
    clientId: '1.2',
    clientSecret: 'secret-client',
    stateSecret: oauth.SLACK_STATE_SECRET,
    publicUrl: 'https://belay.example',
  });
});

it.each<[string, Record<string, string | undefined>, RegExp]>([
  ['a bot token', { SLACK_BOT_TOKEN: 'xoxb-secret' }, /^SLACK_BOT_TOKEN and SLACK_CLIENT_ID are/],
  ['Socket Mode', { SLACK_APP_TOKEN: 'xapp-secret' }, /^SLACK_APP_TOKEN and SLACK_CLIENT_ID are/],
  ['no client ID', { SLACK_CLIENT_ID: undefined }, /^SLACK_CLIENT_ID is missing/],
  ['no client secret', { SLACK_CLIENT_SECRET: undefined }, /^SLACK_CLIENT_SECRET is missing/],
  ['no state secret', { SLACK_STATE_SECRET: undefined }, /^SLACK_STATE_SECRET is missing/],
  ['no address', { BELAY_PUBLIC_URL: undefined }, /^BELAY_PUBLIC_URL is missing/],
])('refuses the credentials of OAuth with %s', (_, changed, line) => {
  const refused = () => readConfig({ ...oauth, ...changed });
  expect(refused).toThrow(line);
  expect(refused).not.toThrow(/secret-|xoxb|xapp/);
});
