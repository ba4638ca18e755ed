import type { ServiceClient } from '../../src/dataprotection/client.ts';
import {
  type PolicyDefinition,
  policyRequestBody,
} from '../../src/dataprotection/resources/policies.ts';

/** The JSON that creates a policy, or replaces one. */
export function policyText(client: ServiceClient, definition: PolicyDefinition): string {
  return JSON.stringify(policyRequestBody(client, definition));
}
