import type { Workspace } from '../workspace-context.ts';

/** Code and existing markup, an address, or a name after `@` or `#`. */
const candidate =
  /```[\s\S]*?```|`[^`\n]*`|<[^<>]*>|https?:\/\/[^\s<>`*~]*[^\s<>`*~.,;:!?)'"]|(?<![\p{L}\p{N}_.@#&/])[@#][\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/gu;
const everybody: ReadonlySet<string> = new Set(['here', 'channel', 'everyone']);

/**
 * Slack's automatic parsing of mrkdwn that is not `verbatim`: addresses become links, and names of
 * channels and people become mentions.
 */
export function autoParse(
  text: string,
  { places, people }: Pick<Workspace, 'places' | 'people'>,
): string {
  return text.replaceAll(candidate, (found) => {
    const name = found.slice(1);
    if (found.startsWith('http')) return `<${found}>`;
    if (found.startsWith('#')) {
      const channel = places.find((one) => one.kind === 'channel' && one.name === name);
      return channel ? `<#${channel.channelId}>` : found;
    }
    if (!found.startsWith('@')) return found;
    if (everybody.has(name)) return `<!${name}>`;
    const person = people.find((one) => one.name === name);
    return person ? `<@${person.slackUserId}>` : found;
  });
}
