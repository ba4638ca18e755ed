import { textField } from '../../../slack/ui/form-fields.ts';
import { parseTypedName } from '../../../slack/ui/typed-name.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { showExactly } from '../../../slack/ui/visible.ts';
import { type Draft, type DraftContent, maxFieldLength, maxNameLength } from './draft.ts';

/** One for each revision, so that a page shows the draft and not what was typed before. */
export function nameField({ revision }: Pick<Draft, 'revision'>) {
  return textField({ label: 'Name', maxLength: maxFieldLength })(`name-${revision}`);
}

/** What the form shows of a name; undefined if it doesn't fit. */
export function shownName(name: string): string | undefined {
  const shown = showExactly(name);
  return shown.length <= maxFieldLength ? shown : undefined;
}

/** The name that was typed. What the form showed is the name as it is. */
export function typedName(draft: Draft, values: ViewValues): string {
  const { name } = draft.after;
  const typed = nameField(draft).read(values);
  return typed === (shownName(name) ?? '').trim() ? name : typed;
}

/** The name as it will be sent; an unchanged name isn't checked. */
export function readName(
  typed: string,
  before: string | undefined,
): { name: string } | { problem: string } {
  if (typed === before) return { name: typed };
  if (typed.length > maxNameLength) {
    return { problem: `Use at most ${maxNameLength} characters. This name has ${typed.length}.` };
  }
  return parseTypedName(typed);
}

/** The edited policy with a name. A name that couldn't be parsed is in `otherFields`, where it would win. */
export function withName({ before, after }: Draft, name: string): DraftContent['after'] {
  if (name === before?.name || !after.otherFields) return { ...after, name };
  const { name: _unread, ...otherFields } = after.otherFields;
  return { ...after, name, otherFields };
}
