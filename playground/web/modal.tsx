import type { KnownBlock } from '@slack/types';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { OpenView } from '../slack/protocol.ts';
import { Blocks } from './blocks/blocks.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorMessage } from './error-message.tsx';
import { SurfaceProvider } from './surface.tsx';
import { useForm } from './use-form.ts';
import { useGestures } from './use-gestures.ts';

/** All views of the stack stay mounted, so that nothing typed is lost on the way back. */
export function ViewStack({ views }: { views: OpenView[] }) {
  return views.map((view, index) => (
    <Modal key={view.viewId} view={view} isTop={index === views.length - 1} />
  ));
}

export function Modal({ view, isTop }: { view: OpenView; isTop: boolean }) {
  const { viewId, blocks, submit, errors } = view;
  const form = useForm(blocks);
  const gestures = useGestures();
  const [submissions, setSubmissions] = useState(0);
  const formElement = useFocusOnError(errors, submissions);
  const isBusy = view.isSubmitting || gestures.isPending('submit');

  // Slack refuses an incomplete form and shows an error at each field.
  const submitError = Object.keys(errors).length > 0 ? undefined : gestures.errorAt('submit');

  const close = (all: boolean) =>
    void gestures.send('close', all ? { type: 'close', viewId, all } : { type: 'close', viewId });

  async function submitForm() {
    if (isBusy) return;
    await gestures.send('submit', { type: 'submit', viewId, values: form.values });
    setSubmissions((count) => count + 1);
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    const isInside =
      event.target instanceof Element &&
      event.target.closest('form, dialog') === event.currentTarget;
    // A confirm dialog in front of the form has its own buttons.
    if (!submit || !isInside) return;
    event.preventDefault();
    void submitForm();
  }

  return (
    <Dialog
      title={view.title}
      isOpen={isTop}
      closeLabel="Exit"
      onCancel={() => close(false)}
      onExit={() => close(true)}
    >
      <form
        ref={formElement}
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          void submitForm();
        }}
      >
        <div className="dialog-body" {...(hasControls(blocks) ? {} : scrolled(view.title))}>
          <SurfaceProvider
            container={{ kind: 'view', viewId }}
            form={form}
            errors={errors}
            gestures={gestures}
          >
            <Blocks blocks={blocks} />
          </SurfaceProvider>
        </div>
        <footer className="dialog-foot">
          <ErrorMessage message={view.trouble} />
          <ErrorMessage message={gestures.errorAt('close') ?? submitError} />
          <button type="button" className="button" onClick={() => close(false)}>
            {view.close ?? (submit ? 'Cancel' : 'Close')}
          </button>
          {submit && (
            <button
              type="submit"
              className="button"
              data-style="primary"
              aria-busy={isBusy}
              aria-disabled={isBusy}
            >
              {submit}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

/** Without controls in it, the keyboard could not scroll what does not fit. */
const scrolled = (title: string) => ({ tabIndex: 0, role: 'region', 'aria-label': title });

function hasControls(blocks: KnownBlock[]): boolean {
  return blocks.some(
    ({ type, ...block }) =>
      type === 'input' || type === 'actions' || ('accessory' in block && block.accessory),
  );
}

/** Focuses the first field with an error and scrolls to it, after each submission that has errors. */
function useFocusOnError(errors: Record<string, string>, submissions: number) {
  const form = useRef<HTMLFormElement>(null);
  // The errors may come before or after the outcome of the submission.
  const submission = JSON.stringify([errors, submissions]);
  useEffect(() => {
    if (submission.startsWith('[{}')) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    // With its label and the error.
    field?.closest('.input-block')?.scrollIntoView({ block: 'nearest' });
  }, [submission]);
  return form;
}
