import type { InputBlock } from '@slack/types';
import { useId } from 'react';
import { Element } from '../elements/element.tsx';
import { FieldContext } from '../elements/use-element.ts';
import { plainText } from '../mrkdwn/text-object.tsx';
import { useSurface } from '../surface.tsx';

const groups: ReadonlySet<string> = new Set([
  'radio_buttons',
  'checkboxes',
  'multi_static_select',
  'multi_users_select',
  'multi_channels_select',
  'multi_conversations_select',
]);

export function InputBlockBody({ block }: { block: InputBlock }) {
  const { errors } = useSurface();
  const id = useId();
  const blockId = block.block_id ?? '';
  const error = errors[blockId];
  const describedBy = [error && `${id}-error`, block.hint && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  const label = (
    <>
      {plainText(block.label)}
      {block.optional && <span className="quiet"> (optional)</span>}
    </>
  );
  return (
    <div className="input-block" data-invalid={error !== undefined}>
      {groups.has(block.element.type) ? (
        <span className="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label className="label" id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
      )}
      <FieldContext
        value={{
          id,
          labelledBy: `${id}-label`,
          describedBy: describedBy || undefined,
          isInvalid: error !== undefined,
          isRequired: !block.optional,
          isDispatching: block.dispatch_action ?? false,
        }}
      >
        <Element element={block.element} blockId={blockId} label={undefined} />
      </FieldContext>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {block.hint && (
        <p className="hint" id={`${id}-hint`}>
          {plainText(block.hint)}
        </p>
      )}
    </div>
  );
}
