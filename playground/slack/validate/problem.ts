import type { z } from 'zod';

/** One thing Slack would refuse, and where: `pointer` is a JSON pointer into what was sent. */
export type Problem = { pointer: string; message: string };

export const problem = (pointer: string, message: string): Problem => ({ pointer, message });

const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step)}`).join('');

/** What zod found wrong, each with the place as Slack writes it. */
export const problemsOf = (error: z.ZodError, base: string): Problem[] =>
  error.issues.map((issue) => problem(`${base}${pointerTo(issue.path)}`, issue.message));

/** The lines Slack puts into `response_metadata.messages`. */
export const problemLines = (problems: Problem[]): string[] =>
  problems.map(({ pointer, message }) => `[ERROR] ${message} [json-pointer:${pointer}]`);
