import { type Logger, LogLevel } from '@slack/web-api';

/** Slack's client would log the failures that these tests provoke. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};
