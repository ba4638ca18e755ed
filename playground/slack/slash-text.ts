import type { Place } from './conversations.ts';
import { escapeTyped } from './mrkdwn.ts';
import type { WorkspacePerson } from './workspace.ts';

const MENTION = /(^|\s)([@#])([\w.-]*\w)/g;

/**
 * A command's text as the app gets it with `should_escape`: entities, and the names of people and
 * channels as ids. A name that nobody bears stays as it was typed.
 */
export const escapeCommandText = (
  typed: string,
  people: WorkspacePerson[],
  places: Place[],
): string =>
  escapeTyped(typed).replaceAll(MENTION, (found, before: string, sigil: string, name: string) => {
    if (sigil === '@') {
      const person = people.find((one) => one.name === name.toLowerCase());
      return person ? `${before}<@${person.slackUserId}|${person.name}>` : found;
    }
    const place = places.find((one) => one.kind === 'channel' && one.name === name.toLowerCase());
    return place ? `${before}<#${place.channelId}|${place.name}>` : found;
  });
