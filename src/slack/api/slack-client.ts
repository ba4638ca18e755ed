/** Slack's Web API for one workspace, as features pass it on to slack/ without calling it themselves. */
export type { WebClient as SlackClient } from '@slack/web-api';
