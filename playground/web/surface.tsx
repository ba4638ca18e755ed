import type { ConfirmationDialog } from '@slack/types';
import { createContext, type ReactNode, use, useState } from 'react';
import type { Container, ElementValue } from '../slack/protocol.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { withValue } from './form-values.ts';
import type { Form } from './use-form.ts';
import type { Gestures } from './use-gestures.ts';

export type Target = {
  blockId: string;
  actionId: string;
  confirm?: ConfirmationDialog | undefined;
};

/** A message or view: where its elements read values and dispatch actions. */
type Surface = {
  form: Form;
  errors: Record<string, string>;
  isPending: (target: Target) => boolean;
  errorAt: (blockId: string) => string | undefined;
  /** Uses the element, after its confirm dialog if it has one. `undo` runs when that is canceled. */
  act: (target: Target, value?: ElementValue, undo?: () => void) => void;
};

const SurfaceContext = createContext<Surface | undefined>(undefined);

export function useSurface(): Surface {
  const surface = use(SurfaceContext);
  if (!surface) throw new Error('A block was drawn outside of a message or view');
  return surface;
}

type Question = { confirm: ConfirmationDialog; onYes: () => void; onNo: () => void };

type Props = {
  container: Container;
  form: Form;
  errors: Record<string, string>;
  gestures: Gestures;
  children: ReactNode;
};

export function SurfaceProvider({ container, form, errors, gestures, children }: Props) {
  const [question, setQuestion] = useState<Question>();
  const [touched, setTouched] = useState<Target>();

  async function deliver(target: Target, value: ElementValue | undefined, confirmed: boolean) {
    const { blockId, actionId } = target;
    const place = placeOf(target);
    if (gestures.isPending(place)) return;
    setTouched(target);
    const held = form.values[blockId]?.[actionId];
    const values =
      value === undefined || held === undefined
        ? form.values
        : withValue(form.values, blockId, actionId, value);
    await gestures.send(place, {
      type: 'act',
      container,
      blockId,
      actionId,
      value,
      values,
      ...(confirmed && { confirmed }),
    });
  }

  const surface: Surface = {
    form,
    errors,
    isPending: (target) => gestures.isPending(placeOf(target)),
    errorAt: (blockId) =>
      touched?.blockId === blockId ? gestures.errorAt(placeOf(touched)) : undefined,
    act: (target, value, undo) => {
      const { confirm } = target;
      if (!confirm) {
        void deliver(target, value, false);
        return;
      }
      setQuestion({
        confirm,
        onYes: () => void deliver(target, value, true),
        onNo: () => undo?.(),
      });
    },
  };

  return (
    <SurfaceContext value={surface}>
      {children}
      {question && (
        <ConfirmDialog
          confirm={question.confirm}
          onAnswer={(isYes) => {
            setQuestion(undefined);
            if (isYes) question.onYes();
            else question.onNo();
          }}
        />
      )}
    </SurfaceContext>
  );
}

function placeOf({ blockId, actionId }: Target): string {
  return `${blockId}/${actionId}`;
}
