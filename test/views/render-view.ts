import { z } from 'zod';
import { message } from '../../src/slack/ui/blocks.ts';
import { homeSchema, messageSchema, type View } from './list-views.ts';
import { renderMrkdwn } from './render-text.ts';

const text = z.looseObject({ type: z.string(), text: z.string() });
type Text = z.infer<typeof text>;

const option = z.looseObject({ text, description: text.optional() });

const confirm = z.looseObject({ title: text, text, confirm: text, deny: text });

const element = z.looseObject({
  type: z.string(),
  text: z.union([text, z.string()]).optional(),
  style: z.string().optional(),
  accessibility_label: z.string().optional(),
  confirm: confirm.optional(),
  placeholder: text.optional(),
  options: z.array(option).optional(),
  option_groups: z.array(z.looseObject({ label: text, options: z.array(option) })).optional(),
});
type Element = z.infer<typeof element>;

const cell = z.union([text, z.looseObject({ type: z.literal('rich_text') })]);

const block = z.looseObject({
  type: z.string(),
  text: text.optional(),
  fields: z.array(text).optional(),
  accessory: element.optional(),
  elements: z.array(element).optional(),
  label: text.optional(),
  hint: text.optional(),
  optional: z.boolean().optional(),
  element: element.optional(),
  rows: z.array(z.array(cell)).optional(),
  column_settings: z.array(z.looseObject({ align: z.string().optional() })).optional(),
});
type Block = z.infer<typeof block>;

const modal = z.looseObject({ title: text, submit: text.optional(), close: text.optional() });

/** A view as plain text, with all that a person or a screen reader meets in it. */
export function renderView(view: View): string {
  const blocks = view.blocks.map((one) => renderBlock(block.parse(one)));
  if (homeSchema.safeParse(view).success) return ['Home tab', ...blocks].join('\n');
  const form = modal.safeParse(view).data;
  if (!form) {
    const { text, blocks: shown } = messageSchema.parse(view);
    const ownText = text === message(shown).text ? [] : [`Notification: ${renderMrkdwn(text)}`];
    return [...blocks, ...ownText].join('\n');
  }
  const buttons = [form.close, form.submit].flatMap((one) => (one ? [`[${one.text}]`] : []));
  return [`Modal "${form.title.text}"`, ...blocks, buttons.join(' ')].join('\n');
}

function renderBlock(one: Block): string {
  switch (one.type) {
    case 'header':
      return `# ${show(one.text)}`;
    case 'divider':
      return '---';
    case 'context':
      return (one.elements ?? []).map((part) => `· ${show(text.parse(part))}`).join('\n');
    case 'actions':
      return (one.elements ?? []).map(renderElement).join('\n');
    case 'input':
      return renderInput(one);
    case 'table':
      return renderTable(one);
    default: {
      const fields = one.fields?.map((field) => `  ${show(field).replace('\n', ': ')}`) ?? [];
      const parts = [one.text && show(one.text), ...fields];
      return [...parts, one.accessory && renderElement(one.accessory)].filter(Boolean).join('\n');
    }
  }
}

function renderInput({ label, optional, hint, element: field }: Block): string {
  const title = `${show(label)}${optional ? ' (optional)' : ''}`;
  const lines = [`${title}: ${field ? renderElement(field) : ''}`];
  if (hint) lines.push(`  Hint: ${show(hint)}`);
  return lines.join('\n');
}

/** A button with its style, its name for screen readers and its confirmation; a field with options. */
function renderElement(one: Element): string {
  const name = typeof one.text === 'string' ? one.text : one.text && show(one.text);
  const notes = [one.style, one.accessibility_label && `"${one.accessibility_label}"`].filter(
    Boolean,
  );
  const groups =
    one.option_groups ?? (one.options ? [{ label: undefined, options: one.options }] : []);
  const lines = [
    `[${name ?? initialOf(one) ?? show(one.placeholder) ?? ''}]${name ? '' : ` ${one.type}`}`,
    ...(notes.length > 0 ? [` (${notes.join(', ')})`] : []),
    ...groups.map(
      ({ label, options }) =>
        `\n  ${label ? `${show(label)}: ` : ''}${options.map(renderOption).join(' | ')}`,
    ),
    ...(one.confirm ? [`\n  Asks: ${renderConfirm(one.confirm)}`] : []),
  ];
  return lines.join('');
}

function renderOption(one: z.infer<typeof option>): string {
  return one.description ? `${show(one.text)} (${show(one.description)})` : show(one.text);
}

function renderConfirm({ title, text: question, confirm: yes, deny }: z.infer<typeof confirm>) {
  return `${show(title)}: ${show(question)} [${show(yes)}] [${show(deny)}]`;
}

/** What a field holds when the form opens. */
function initialOf(field: Element): string | undefined {
  const initial = Object.entries(field).find(([name]) => name.startsWith('initial_'))?.[1];
  if (initial === undefined) return undefined;
  const options = z.array(option).safeParse(Array.isArray(initial) ? initial : [initial]).data;
  if (options) return options.map(renderOption).join(', ');
  return [initial]
    .flat()
    .map((value) => renderMrkdwn(namesOf(String(value))))
    .join(', ');
}

/** Menus of people and channels hold ids. */
function namesOf(value: string): string {
  return /^[UC]\w{8,}$/.test(value) ? `<${value.startsWith('U') ? '@' : '#'}${value}>` : value;
}

function renderTable({ rows = [], column_settings = [] }: Block): string {
  const cells = rows.map((row) => row.map((one) => ('text' in one ? String(one.text) : '')));
  const widths = (cells[0] ?? []).map((_, at) =>
    Math.max(...cells.map((row) => row[at]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row
        .map((value, at) => {
          const width = widths[at] ?? 0;
          const isRight = column_settings[at]?.align === 'right';
          return isRight ? value.padStart(width) : value.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(shown: Text | undefined): string {
  if (!shown) return '';
  return shown.type === 'mrkdwn' ? renderMrkdwn(shown.text) : shown.text;
}
