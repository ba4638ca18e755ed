import type { WireForm } from './wire-form.ts';

/** The form of the documented contract. */
export const documentedForm: WireForm = {
  unitHeader: 'x-service-organizationalunit-context',
  accept: () => 'application/api.service.*=v1+json',
};
