import { documentedPolicyNames } from './policy-names.ts';
import type { WireFormat } from './wire-format.ts';

/** The dialect of the documented contract. */
export const documentedFormat: WireFormat = {
  unitHeader: 'x-service-organizationalunit-context',
  accept: () => 'application/api.service.*=v1+json',
  startIsPosition: true,
  pageSize: {},
  policy: documentedPolicyNames,
  readsOnePolicy: false,
  replacesInBackground: false,
  operations: {},
};
