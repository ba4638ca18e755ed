import type { z } from 'zod';
import { type KnownBlock, plain, section } from './blocks.ts';
import { encodeMetadata } from './codec.ts';
import { type DeclaredField, type Field, readText } from './form-fields.ts';
import { limits } from './limits.ts';
import type { ModalView } from './modal.ts';
import { safe } from './mrkdwn.ts';
import type { ViewValues } from './view-values.ts';

/** What a form's metadata says about where to answer once the form is closed. */
export type FormOrigin = { channelId?: string | undefined };

export type Fields = Record<string, Field<unknown>>;

type Declared = Record<string, DeclaredField<unknown>>;
type Defined<Of extends Declared> = { [Id in keyof Of]: ReturnType<Of[Id]> };

/** What was entered in each field. */
export type Entered<Of extends Fields> = { [Id in keyof Of]: ReturnType<Of[Id]['read']> };

/** Why fields aren't accepted, as plain text by field id. */
export type FormErrors = Record<string, string | undefined>;

/** A modal with fields and a submit button. */
export type Form<Metadata extends FormOrigin = FormOrigin, Of extends Fields = Fields> = {
  id: string;
  metadata: z.ZodType<Metadata>;
  fields: Of;
  /** @throws when the metadata is longer than Slack allows */
  modal(shown: {
    title: string;
    submit: string;
    /** `Close` for a form that keeps what was entered; `Cancel` by default. */
    close?: string;
    /** Comes back with the submission. */
    metadata: Metadata;
    blocks: KnownBlock[];
  }): ModalView;
};

/** `id` stays the same for good: it is in forms that are open while Belay is updated. */
export function defineForm<Metadata extends FormOrigin, Of extends Declared>(
  id: string,
  { metadata: schema, fields }: { metadata: z.ZodType<Metadata>; fields: Of },
): Form<Metadata, Defined<Of>> {
  return {
    id,
    metadata: schema,
    fields: defineFields(fields),
    modal({ title, submit, close = 'Cancel', metadata, blocks }) {
      const encoded = encodeMetadata({ ...metadata });
      if (encoded === undefined) throw new Error('metadata is longer than Slack carries');
      return {
        type: 'modal',
        callback_id: id,
        title: plain(title, limits.modalTitle),
        submit: plain(submit, limits.modalTitle),
        close: plain(close, limits.modalTitle),
        private_metadata: encoded,
        blocks,
      };
    },
  };
}

/** Fields with their names as ids. */
function defineFields<Of extends Declared>(declared: Of): Defined<Of>;
function defineFields(declared: Declared): Fields {
  return Object.fromEntries(Object.entries(declared).map(([id, declare]) => [id, declare(id)]));
}

export function readFields<Of extends Fields>(fields: Of, values: ViewValues): Entered<Of>;
export function readFields(fields: Fields, values: ViewValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([id, field]) => [id, field.read(values)]));
}

/** The errors that every field checks for itself. */
export function checkFields(fields: Fields, values: ViewValues): FormErrors {
  return Object.fromEntries(Object.values(fields).map((field) => [field.id, field.check(values)]));
}

/** Undefined if there are none. */
export function foundErrors(errors: FormErrors = {}): Record<string, string> | undefined {
  const found = Object.entries(errors).flatMap(([id, error]) => (error ? [[id, error]] : []));
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** All sentences that were entered, so that they are not lost when the submission fails. */
export function readLongText(fields: Fields, values: ViewValues): string {
  return Object.values(fields)
    .filter(({ isLongText }) => isLongText)
    .map(({ id }) => readText(values(id)))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The form with its errors in its text, because views.update can't mark fields. */
export function withErrors(view: ModalView, errors: FormErrors): ModalView {
  const lines = Object.entries(errors).flatMap(([id, error]) =>
    error ? [`${labelOf(view, id)}${safe(error, 500)}`] : [],
  );
  const shown = section(`:warning: *Nothing was saved.*\n${lines.join('\n')}`);
  return { ...view, blocks: [shown, ...view.blocks].slice(0, limits.blocksPerView) };
}

function labelOf({ blocks }: { blocks: KnownBlock[] }, id: string): string {
  const labels = blocks.flatMap((block) =>
    block.type === 'input' && block.block_id === id ? [block.label.text] : [],
  );
  return labels.map((label) => `*${safe(label, 100)}*: `).join('');
}
