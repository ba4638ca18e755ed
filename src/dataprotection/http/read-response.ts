import type { z } from 'zod';
import { parseJson } from '../json.ts';
import { type ServiceErrorFacts, UnexpectedResponseError } from './errors.ts';
import type { ExchangeAnswer } from './exchange.ts';
import { errorForStatus, readServiceMessage } from './status-error.ts';

const maxServiceMessage = 300;

type Redact = (text: string) => string;

/**
 * The answer's JSON (undefined for an empty body) as the schema reads it; throws what any other
 * answer stands for. `redact` takes the token out of text that the service wrote.
 */
export function readAnswer<Answer>(
  answer: ExchangeAnswer,
  schema: z.ZodType<Answer>,
  { request, isWrite, redact }: { request: string; isWrite: boolean; redact: Redact },
): Answer {
  const { status, body } = answer;
  const wasRefused = status >= 400 && status < 500;
  const facts: ServiceErrorFacts = { request, status, mayHaveActed: isWrite && !wasRefused };
  if (status < 200 || status >= 300) {
    const serviceMessage = redact(readServiceMessage(body) ?? '').slice(0, maxServiceMessage);
    throw errorForStatus(answer, { ...facts, serviceMessage: serviceMessage || undefined });
  }

  // The content type is not asked: services label JSON in many ways, and HTML never parses.
  const json = parseJson(body);
  if (json === undefined && body.trim() !== '') {
    throw new UnexpectedResponseError('the answer is not JSON', facts);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') || 'the whole';
  throw new UnexpectedResponseError(`unexpected answer (${where})`, facts);
}
