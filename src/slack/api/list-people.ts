import type { SlackClient } from './slack-client.ts';

type Members = NonNullable<Awaited<ReturnType<SlackClient['users']['list']>>['members']>;

/** Not complete if the workspace has more people than are read, or if Slack leaves people out. */
type WorkspacePeople = { members: Members; isComplete: boolean };

/** Slack recommends at most 200 for a page, and allows 20 calls a minute. */
const pageSize = 200;
const maxPages = 15;

/**
 * The people of a workspace as Slack describes them, the first 3,000 at most.
 * https://docs.slack.dev/reference/methods/users.list
 */
export async function listPeople(slack: SlackClient): Promise<WorkspacePeople> {
  const members: Members = [];
  let cursor: string | undefined;
  let hasGap = false;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await slack.users.list({
      limit: pageSize,
      ...(cursor ? { cursor } : {}),
    });
    hasGap ||= answer.members === undefined;
    members.push(...(answer.members ?? []));
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return { members, isComplete: !cursor && !hasGap };
}

/**
 * The Slack ids of the people with this user name, display name or full name, in upper or lower case.
 * Slack turns a typed `@name` into an id only at the beginning of a word.
 */
export async function findPeopleByName(slack: SlackClient, name: string): Promise<string[]> {
  const wanted = name.toLowerCase();
  const { members } = await listPeople(slack);
  return members.flatMap(({ id, name: userName, real_name: realName, profile }) => {
    const names = [userName, realName, profile?.display_name, profile?.real_name];
    return id && names.some((one) => one?.toLowerCase() === wanted) ? [id] : [];
  });
}
