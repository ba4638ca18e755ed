import { type Logger, LogLevel } from '@slack/web-api';

/** Slack's client repeats on the console what these tests provoke all the time. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};
