import { z } from 'zod';
import type { Directory } from '../installations/directory.ts';
import type { AccessToken } from '../installations/tokens.ts';
import type { LocalState } from '../state.ts';

export type ApiAnswer = { ok: boolean; error?: string } & Record<string, unknown>;

/** A Web API method: the token and scope it needs, and what it does. */
export type ApiMethod = {
  /** `none`: works without a token. */
  token: 'bot' | 'app' | 'none';
  scope?: string;
  run: (context: ApiContext, given: unknown) => ApiAnswer;
};

export type ApiContext = {
  /** The workspace that the call acts in. */
  state: LocalState;
  directory: Directory;
  /** Undefined for calls without a bot token. */
  token: AccessToken | undefined;
  baseUrl: string;
  /** Issues a Socket Mode URL. */
  openSocket: () => string;
};

export const failure = (error: string, messages: string[] = []): ApiAnswer => ({
  ok: false,
  error,
  ...(messages.length > 0 ? { response_metadata: { messages } } : {}),
});

/** The header Retry-After of these answers, in seconds. They carry no such field themselves. */
const waits = new WeakMap<ApiAnswer, number>();

export const rateLimited = (retryAfterSeconds: number): ApiAnswer => {
  const answer = failure('ratelimited');
  waits.set(answer, retryAfterSeconds);
  return answer;
};

export const retryAfterOf = (answer: ApiAnswer): number | undefined => waits.get(answer);

/** Defines a method. Arguments that do not match the schema are answered with `invalid_arguments`. */
export const method = <T>(
  needs: Pick<ApiMethod, 'token' | 'scope'>,
  schema: z.ZodType<T>,
  run: (context: ApiContext, args: T) => ApiAnswer,
): ApiMethod => ({
  ...needs,
  run: (context, given) => {
    const parsed = schema.safeParse(given);
    if (parsed.success) return run(context, parsed.data);
    const lines = parsed.error.issues.map(
      (issue) => `[ERROR] ${issue.message} [json-pointer:/${issue.path.join('/')}]`,
    );
    return failure('invalid_arguments', lines);
  },
});

export const noArguments = z.looseObject({});
