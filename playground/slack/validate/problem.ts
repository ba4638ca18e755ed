import type { z } from 'zod';

/** A validation error. `pointer` is a JSON pointer into what was sent. */
export type Problem = { pointer: string; message: string };

export const problem = (pointer: string, message: string): Problem => ({ pointer, message });

const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step)}`).join('');

/** Converts zod's issues. */
export const problemsOf = (error: z.ZodError, base: string): Problem[] =>
  error.issues.map((issue) => problem(`${base}${pointerTo(issue.path)}`, issue.message));

/** The lines of `response_metadata.messages`. */
export const problemLines = (problems: Problem[]): string[] =>
  problems.map(({ pointer, message }) => `[ERROR] ${message} [json-pointer:${pointer}]`);
