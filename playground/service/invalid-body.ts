import type { z } from 'zod';
import { type Answer, refuse } from './answer.ts';

/** 400 that names every field in question, in one sentence each. */
export function refuseInvalid(error: z.ZodError): Answer {
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  return refuse(400, `The body is not valid. ${faults.join('. ')}.`);
}
