import { documentedForm } from './documented/documented-form.ts';
import { createLiveForm } from './live/live-form.ts';
import type { Form, WireForm } from './wire-form.ts';

/** `without`: ids of operations that this service does not have; the live form only. */
export function createForm(name: Form, without: readonly string[]): WireForm {
  return name === 'live' ? createLiveForm(without) : documentedForm;
}
