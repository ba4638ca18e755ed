import { documentedFormat } from './documented/documented-form.ts';
import { createLiveDialect } from './live/live-form.ts';
import type { Form, WireFormat } from './wire-form.ts';

/** `without`: ids of operations that this service does not have; the live form only. */
export function createForm(name: Form, without: readonly string[]): WireFormat {
  return name === 'live' ? createLiveDialect(without) : documentedFormat;
}
