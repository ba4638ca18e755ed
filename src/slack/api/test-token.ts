import type { Logger } from '../../logger.ts';
import { slackErrorCode } from './error-codes.ts';
import { clientOptions, createSlackClient } from './slack-client.ts';

/** Whether Slack accepts a workspace's bot token; else the code with which Slack refuses it. */
export type TestToken = (bot: {
  teamId: string;
  organizationId: string | undefined;
  token: string;
}) => Promise<'works' | string>;

const timeoutMs = 5000;

/** https://docs.slack.dev/reference/methods/auth.test @throws the client's error if Slack can't be reached */
export function createTestToken(apiUrl: string | undefined, log: Logger): TestToken {
  const options = clientOptions({ log, apiUrl }, timeoutMs);
  return async (bot) => {
    try {
      await createSlackClient(bot, options).auth.test();
      return 'works';
    } catch (error) {
      const code = slackErrorCode(error);
      if (code === undefined) throw error;
      return code;
    }
  };
}
