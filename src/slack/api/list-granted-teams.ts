import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';

/** https://docs.slack.dev/reference/methods/auth.teams.list */
const pageSchema = z.object({
  teams: z.array(z.object({ id: z.string() })),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const pageSize = 200;
const maxPages = 50;

/** The workspaces in which an organization's token can be used. */
export type ListGrantedTeams = (token: string) => Promise<string[]>;

/** @throws the client's error if Slack refuses or can't be reached, or if the list has no end */
export function createListGrantedTeams(options: WebClientOptions): ListGrantedTeams {
  return async (token) => {
    const web = new WebClient(token, options);
    const teamIds: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const answer = pageSchema.parse(
        await web.auth.teams.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }),
      );
      teamIds.push(...answer.teams.map(({ id }) => id));
      cursor = answer.response_metadata?.next_cursor;
      if (!cursor) return teamIds;
    }
    throw new Error('Slack lists more workspaces of the organization than Belay reads');
  };
}
