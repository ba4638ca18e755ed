import { z } from 'zod';
import type { LocalState } from '../state.ts';

export type ApiAnswer = { ok: boolean; error?: string } & Record<string, unknown>;

/** One Web API method: what it needs to be called, and what it does. */
export type ApiMethod = {
  /** `none`: works without a token. */
  token: 'bot' | 'app' | 'none';
  scope?: string;
  run: (context: ApiContext, given: unknown) => ApiAnswer;
};

export type ApiContext = {
  state: LocalState;
  baseUrl: string;
  /** A fresh Socket Mode address. */
  openSocket: () => string;
};

export const failure = (error: string, messages: string[] = []): ApiAnswer => ({
  ok: false,
  error,
  ...(messages.length > 0 ? { response_metadata: { messages } } : {}),
});

/** A method whose arguments must fit a schema; what does not fit is `invalid_arguments`. */
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
