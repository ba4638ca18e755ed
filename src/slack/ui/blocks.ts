import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  SectionBlock,
  StaticSelect,
  TableBlock,
} from '@slack/types';
import type { ChartBlock } from './chart.ts';
import { cut, limits } from './limits.ts';
import { cutMrkdwn, plainAsMrkdwn } from './mrkdwn.ts';
import { isVisible, showExactly } from './visible.ts';

export type { Button, KnownBlock, StaticSelect };

/** Modals can have only known blocks. */
export type MessageBlock = KnownBlock | ChartBlock;

/** A message. `text` is shown in notifications and read by screen readers. */
export type Message = { text: string; blocks?: MessageBlock[] };

/** Without `text`, which is mrkdwn like the blocks, the message's text is what people read in the blocks. */
export function message(
  blocks: MessageBlock[],
  text = blocks.flatMap(readBlock).join('\n'),
): Message {
  return { text: cutMrkdwn(text, limits.messageText), blocks };
}

/** What people read in a block, as lines of mrkdwn. */
function readBlock(block: MessageBlock): string[] {
  switch (block.type) {
    case 'header':
      return [readText(block.text)];
    case 'section':
      return [...(block.text ? [block.text] : []), ...(block.fields ?? [])].map(readText);
    case 'context':
      return block.elements.flatMap((one) => (one.type === 'image' ? [] : [readText(one)]));
    case 'table':
      return readTable(block);
    case 'data_visualization':
      return readChart(block);
    default:
      return [];
  }
}

function readText({ type, text }: PlainTextElement | MrkdwnElement): string {
  return type === 'mrkdwn' ? text : plainAsMrkdwn(text);
}

/** A line for each row: "Gold: noncompliant 3 · compliant 40". */
function readTable({ rows }: TableBlock): string[] {
  const [titles = [], ...others] = rows.map((row) =>
    row.map((cell) => (cell.type === 'raw_text' ? plainAsMrkdwn(cell.text) : '')),
  );
  return others.map(([name, ...facts]) => {
    const named = facts.map((fact, index) => `${titles[index + 1]?.toLowerCase()} ${fact}`);
    return `${name}: ${named.join(' · ')}`;
  });
}

/** The title, then a line for each series: "Noncompliant: Nov 21 3 · Nov 22 5". */
function readChart({ title, chart }: ChartBlock): string[] {
  const lines = chart.series.map(({ name, data }) => {
    const figures = data.map(({ label, value }) => `${label} ${value}`);
    return `${name}: ${figures.join(' · ')}`;
  });
  return [title, ...lines];
}

export function withoutCharts(blocks: MessageBlock[]): KnownBlock[] {
  return blocks.filter((block) => block.type !== 'data_visualization');
}

/** Blocks for a modal, which can have neither charts nor tables: these become text. */
export function blocksForModal(blocks: MessageBlock[]): KnownBlock[] {
  return withoutCharts(blocks).flatMap((block) =>
    block.type === 'table' ? joinToSections(readTable(block)).map((text) => section(text)) : block,
  );
}

/** A message of one paragraph of mrkdwn. */
export function notice(text: string): Message {
  return message([section(text)]);
}

/** Without `:name:` becoming emoji, because a name or an address can contain that. */
export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: cut(text, max), emoji: false };
}

/**
 * Verbatim, so that Slack does not turn an address into a link, or an `@name` in a name from the
 * service into a mention. https://docs.slack.dev/reference/block-kit/composition-objects/text-object
 */
function mrkdwn(text: string, max: number): MrkdwnElement {
  return { type: 'mrkdwn', text: cutMrkdwn(text, max), verbatim: true };
}

/** Slack refuses a blank header, so that one gets a placeholder. */
export function header(text: string): HeaderBlock {
  return shownHeader(isVisible(text) ? showExactly(text) : '(no name)');
}

/** A header of plain text that shows nothing hidden, such as mrkdwn without its markup. */
export function shownHeader(shown: string): HeaderBlock {
  return { type: 'header', text: plain(shown, limits.headerText) };
}

export function section(text: string, accessory?: Button): SectionBlock {
  const block: SectionBlock = { type: 'section', text: mrkdwn(text, limits.sectionText) };
  return accessory ? { ...block, accessory } : block;
}

/** Whole lines, joined to as few texts as fit into sections. */
export function joinToSections(
  lines: readonly string[],
  maxLength: number = limits.sectionText,
): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    const joined = last === undefined ? line : `${last}\n${line}`;
    if (last !== undefined && joined.length <= maxLength) texts[texts.length - 1] = joined;
    else texts.push(line);
  }
  return texts;
}

/** Label and value pairs, ten to a section as Slack allows. */
export function fieldSections(fields: { label: string; value: string }[]): SectionBlock[] {
  const elements = fields.map(({ label, value }) =>
    mrkdwn(`*${label}*\n${value}`, limits.fieldText),
  );
  const sections: SectionBlock[] = [];
  for (let at = 0; at < elements.length; at += limits.fieldsPerSection) {
    sections.push({ type: 'section', fields: elements.slice(at, at + limits.fieldsPerSection) });
  }
  return sections;
}

export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(text, limits.sectionText)] };
}

export function divider(): KnownBlock {
  return { type: 'divider' };
}

type ButtonOptions = {
  text: string;
  actionId: string;
  value: string;
  style?: 'primary' | 'danger' | undefined;
  confirm?: ConfirmationDialog;
  /** Read by screen readers instead of `text`: names what the button acts on. */
  accessibilityLabel?: string;
};

export function button(options: ButtonOptions): Button {
  return {
    type: 'button',
    text: plain(options.text, limits.buttonText),
    action_id: options.actionId,
    value: options.value,
    ...(options.style ? { style: options.style } : {}),
    ...(options.confirm ? { confirm: options.confirm } : {}),
    ...(options.accessibilityLabel
      ? { accessibility_label: cut(options.accessibilityLabel, limits.buttonText) }
      : {}),
  };
}

/** A menu that acts at once: the value of the chosen option arrives as that of a button. */
export function menu(options: {
  actionId: string;
  placeholder: string;
  options: { value: string; text: string }[];
}): StaticSelect {
  return {
    type: 'static_select',
    action_id: options.actionId,
    placeholder: plain(options.placeholder, 150),
    options: options.options.map(({ value, text }) => ({
      value,
      text: plain(text, limits.optionText),
    })),
  };
}

type ActionElement = Button | StaticSelect | Overflow;

export function actions(elements: ActionElement[]): ActionsBlock {
  return { type: 'actions', elements };
}

/** An actions block of the given elements; none if all are false or undefined, because Slack refuses an empty block. */
export function actionsIfAny(elements: (ActionElement | false | undefined)[]): ActionsBlock[] {
  const found = elements.filter((one) => one !== undefined && one !== false);
  return found.length > 0 ? [actions(found)] : [];
}

/** Whether a block has a button or a menu. */
export function isClickable(block: MessageBlock): block is ActionsBlock | SectionBlock {
  return block.type === 'actions' || (block.type === 'section' && block.accessory !== undefined);
}

/** A confirmation dialog. The question names the object, the button carries the verb. */
export function confirmation(options: {
  title: string;
  question: string;
  verb: string;
  isDanger?: boolean;
  /** The button that closes the dialog, where "Cancel" could be taken for the action itself. */
  dismiss?: string;
}): ConfirmationDialog {
  return {
    title: plain(options.title, 100),
    text: plain(options.question, limits.confirmText),
    confirm: plain(options.verb, 30),
    deny: plain(options.dismiss ?? 'Cancel', 30),
    ...(options.isDanger ? { style: 'danger' as const } : {}),
  };
}
