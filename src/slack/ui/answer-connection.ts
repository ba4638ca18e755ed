import type { ContextBlock } from '@slack/types';
import { context, isClickable, type Message, message, plain, section } from './blocks.ts';
import { cut, limits } from './limits.ts';
import { bold, safeName } from './mrkdwn.ts';

/** The connection that an answer is about. Clicks in the answer use the same connection. */
export type AnswerConnection = {
  originId: string | undefined;
  /** Undefined in a workspace with one connection, where nobody needs to read it. */
  name: string | undefined;
  /** False for answers about several connections, whose items name theirs. */
  isNamed: boolean;
};

/** What a block id or the metadata of a modal carries of a connection. */
export type CarriedConnection = { originId: string; isNamed: boolean };

/** The answer with the name of its connection, and buttons that come back with the connection. */
export function answerOn(answer: Message, connection: AnswerConnection | undefined): Message {
  if (!connection) return answer;
  const { name, isNamed } = connection;
  return bindButtons(name && isNamed ? nameConnection(answer, name) : answer, connection);
}

/**
 * Marks the blocks with buttons or menus: Slack sends the id of a block back with a click. The values
 * of menus have no room for a connection. A block that has an id keeps it.
 */
function bindButtons(
  answer: Message,
  { originId, isNamed }: Pick<AnswerConnection, 'originId' | 'isNamed'>,
): Message {
  if (originId === undefined || !answer.blocks) return answer;
  const blocks = answer.blocks.map((block, index) =>
    isClickable(block) && !block.block_id
      ? { ...block, block_id: connectionBlockId({ originId, isNamed }, index) }
      : block,
  );
  return { ...answer, blocks };
}

/** A block id that carries the connection in click payloads. `index` makes the id unique in its message. */
export function connectionBlockId({ originId, isNamed }: CarriedConnection, index: number): string {
  return `connection:${isNamed ? 'on' : 'for'}:${originId}:${index}`;
}

/** What a block was marked with; undefined for other blocks. */
export function readBlockConnection(blockId: string | undefined): CarriedConnection | undefined {
  const match = /(?:^|:)connection:(on|for):([0-9a-f-]{36}):\d+$/.exec(blockId ?? '');
  const [, mark, originId] = match ?? [];
  return originId === undefined ? undefined : { originId, isNamed: mark === 'on' };
}

/** Adds the name to the title or, in an answer without one, on its own line. */
function nameConnection(answer: Message, name: string): Message {
  const { text, blocks = [section(text)] } = answer;
  const [first, ...rest] = blocks;
  const named =
    first?.type === 'header'
      ? [{ ...first, text: titled(first.text.text, name) }, ...rest]
      : [...blocks.slice(0, limits.blocksPerMessage - 1), connectionLine(name)];
  return message(named, `${text}\nConnection: ${safeName(name)}`);
}

export function connectionLine(name: string): ContextBlock {
  return context(`Connection: ${bold(name)}`);
}

function titled(title: string, name: string) {
  const suffix = ` · ${name}`;
  return plain(`${cut(title, limits.headerText - suffix.length)}${suffix}`, limits.headerText);
}
