import { useState } from 'react';
import type { ElementValue, FormValues, MessageBlock } from '../slack/protocol.ts';
import { initialValues, keepTyped, withValue } from './form-values.ts';

export type Form = {
  values: FormValues;
  setValue: (blockId: string, actionId: string, value: ElementValue) => void;
};

/** The values of a form, updated when the app replaces its blocks. */
export function useForm(blocks: MessageBlock[]): Form {
  const [state, setState] = useState(() => ({ blocks, values: initialValues(blocks) }));
  if (state.blocks !== blocks) setState({ blocks, values: keepTyped(state.values, blocks) });
  return {
    values: state.values,
    setValue: (blockId, actionId, value) =>
      setState((last) => ({ ...last, values: withValue(last.values, blockId, actionId, value) })),
  };
}
