import { type Message, notice } from '../ui/blocks.ts';
import { code } from '../ui/mrkdwn.ts';

/**
 * What a person names: the `name` typed after `on:`, ignoring case, or the `originId` of the answer
 * that they clicked in. With neither, the channel's connection or else the default one.
 */
export type NamedConnection = {
  name?: string | undefined;
  originId?: string | undefined;
  channelId?: string | undefined;
};

export type ConnectionChoice =
  /** `originId` is undefined without any connection, `name` in a workspace with one. */
  | { originId: string | undefined; name: string | undefined }
  /** No connection has the name, or that of the answer was removed. `names`: those in use. */
  | { refused: 'unknown-name' | 'removed'; names: string[] };

export function refusedName(name: string, names: string[]): Message {
  const known = names.map((one) => code(one)).join(', ');
  const choice = known
    ? `Connections: ${known}.`
    : 'An admin can connect Belay with `/belay setup`.';
  return notice(`No connection is named ${code(name, 60)}. ${choice}`);
}

export const removedConnection =
  'The connection that this message is about was removed. Nothing was changed. To see the connections, run `/belay connection`.';

/** Quotation marks keep `on:` inside a filter or a text. */
const word = /(?:[^\s"“”]|["“”][^"“”]*["“”])+/gu;

/** Takes `on:<name>` out of what follows a subcommand. `problem` is mrkdwn. */
export function takeConnectionName(
  text: string,
): { text: string; name: string | undefined } | { problem: string } {
  const names: string[] = [];
  const rest = text.replaceAll(word, (typed) => {
    const name = /^on:(.*)$/iu.exec(typed)?.[1];
    if (name === undefined) return typed;
    names.push(name.replaceAll(/["“”]/g, ''));
    return '';
  });
  const [name] = names;
  if (names.length > 1) return { problem: 'Use `on:` only once.' };
  if (name === '') return { problem: 'Type the name of a connection right after `on:`.' };
  return { text: name === undefined ? text : rest.replaceAll(/\s+/g, ' ').trim(), name };
}
