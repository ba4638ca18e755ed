import type { ActionsBlock, SectionBlock } from '@slack/types';
import { type Message, type MessageBlock, message, plain, section } from './blocks.ts';
import { cut, limits } from './limits.ts';
import { bold } from './mrkdwn.ts';

/** The connection that an answer is about: what is clicked in the answer goes on with it. */
export type AnswerConnection = {
  originId: string | undefined;
  /** Undefined in a workspace with one connection, where nobody needs to read it. */
  name: string | undefined;
  /** False for answers about several connections, whose items name theirs. */
  isNamed: boolean;
};

/** What a message or a modal carries of it. */
export type CarriedConnection = { originId: string; isNamed: boolean };

/** The answer with the name of its connection, and buttons that come back with the connection. */
export function answerOn(answer: Message, connection: AnswerConnection | undefined): Message {
  if (!connection) return answer;
  const { name, isNamed } = connection;
  return bindButtons(name && isNamed ? nameConnection(answer, name) : answer, connection);
}

/**
 * Marks the blocks with buttons or menus, which Slack sends back with a click. Values stay as they are,
 * because those of menus have no room, and blocks that are marked already.
 */
export function bindButtons(
  answer: Message,
  { originId, isNamed }: Pick<AnswerConnection, 'originId' | 'isNamed'>,
): Message {
  if (originId === undefined || !answer.blocks) return answer;
  const mark = isNamed ? 'on' : 'for';
  const blocks = answer.blocks.map((block, index) =>
    isClickable(block) && !block.block_id
      ? { ...block, block_id: `connection:${mark}:${originId}:${index}` }
      : block,
  );
  return { ...answer, blocks };
}

/** What `bindButtons` marked a block with; undefined for other blocks. */
export function readBlockConnection(blockId: string | undefined): CarriedConnection | undefined {
  const match = /(?:^|:)connection:(on|for):([0-9a-f-]{36}):\d+$/.exec(blockId ?? '');
  const [, mark, originId] = match ?? [];
  return originId === undefined ? undefined : { originId, isNamed: mark === 'on' };
}

/** Adds the name to the title or, in an answer without one, in a line of its own. */
export function nameConnection(answer: Message, name: string): Message {
  const { text, blocks = [section(answer.text)] } = answer;
  const [first, ...rest] = blocks;
  const named =
    first?.type === 'header'
      ? [{ ...first, text: titled(first.text.text, name) }, ...rest]
      : [...blocks.slice(0, limits.blocksPerMessage - 1), connectionLine(name)];
  return message(`${text}\nConnection: ${name}`, named);
}

export function connectionLine(name: string): MessageBlock & { type: 'context' } {
  const text = { type: 'mrkdwn' as const, text: `Connection: ${bold(name)}`, verbatim: true };
  return { type: 'context', elements: [text] };
}

function titled(title: string, name: string) {
  const suffix = ` · ${name}`;
  return plain(`${cut(title, limits.headerText - suffix.length)}${suffix}`, limits.headerText);
}

function isClickable(block: MessageBlock): block is ActionsBlock | SectionBlock {
  return block.type === 'actions' || (block.type === 'section' && block.accessory !== undefined);
}
