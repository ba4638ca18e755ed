import type { ConfirmationDialog } from '@slack/types';
import { createContext, use } from 'react';
import type { ElementValue } from '../../slack/protocol.ts';
import { useSurface } from '../surface.tsx';
import { useTabIndex } from '../tab-stop.ts';

/** How the input block around an element labels it. Undefined outside of input blocks. */
export type Field = {
  id: string;
  labelledBy: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
  isDispatching: boolean;
};

export const FieldContext = createContext<Field | undefined>(undefined);

type Described = { action_id?: string; confirm?: ConfirmationDialog };

/** The value of an element, and how to change and dispatch it. */
export function useElement(element: Described, blockId: string, label: string | undefined) {
  const { form, act, isPending } = useSurface();
  const field = use(FieldContext);
  const tabIndex = useTabIndex();
  const actionId = element.action_id ?? '';
  const target = { blockId, actionId, confirm: element.confirm };
  const value = form.values[blockId]?.[actionId] ?? null;
  // Outside of an input block every change is an action.
  const isDispatching = field?.isDispatching ?? true;

  const hold = (next: ElementValue) => form.setValue(blockId, actionId, next);
  const dispatch = (next: ElementValue, before: ElementValue) => {
    if (isDispatching) act(target, next, () => hold(before));
  };

  return {
    value,
    values: Array.isArray(value) ? value : [],
    text: typeof value === 'string' ? value : '',
    isBusy: isPending(target),
    isDispatching,
    isRequired: field?.isRequired ?? false,
    tabIndex,
    hold,
    dispatch,
    change: (next: ElementValue) => {
      hold(next);
      dispatch(next, value);
    },
    press: () => act(target),
    choose: (chosen: string) => act(target, chosen),
    /** Attributes for the control, or group of controls, that the label names. */
    naming: {
      id: field?.id,
      'aria-labelledby': field?.labelledBy,
      'aria-label': field ? undefined : label,
      'aria-describedby': field?.describedBy,
      'aria-invalid': field?.isInvalid || undefined,
    },
  };
}
