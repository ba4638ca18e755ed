import { documentedForm } from './documented.ts';
import type { Form } from './form.ts';
import { liveForm } from './live.ts';

/** What the two forms spell differently. Everything else is the same on both. */
export type WireForm = {
  /** Names the organizational unit to run in. */
  unitHeader: string;
  /** The version to ask for, given the path below the base URL. */
  accept: (path: string) => string;
};

const wireForms: Record<Form, WireForm> = { documented: documentedForm, live: liveForm };

export function wireForm(form: Form): WireForm {
  return wireForms[form];
}
