import { z } from 'zod';

/** Each input block has one element, so the block id alone identifies the value. */
export const inputId = 'input';

const element = z.object({
  value: z.string().nullish(),
  selected_option: z
    .object({ value: z.string(), text: z.object({ text: z.string().optional() }).optional() })
    .nullish(),
  selected_options: z.array(z.object({ value: z.string() })).nullish(),
  selected_time: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_user: z.string().nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_conversation: z.string().nullish(),
});

/** `view.state.values` of a submission. */
export const viewStateSchema = z.preprocess(
  // Slack may send an empty list for "no fields".
  (state) => (Array.isArray(state) && state.length === 0 ? {} : state),
  z.record(z.string(), z.record(z.string(), element)),
);

/** What a person entered in an input. Slack sends null for one that is empty. */
export type EnteredInput = z.infer<typeof element> | undefined;

/**
 * The inputs of a submitted form by block id.
 * https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload#view_submission
 */
export type ViewValues = (blockId: string) => EnteredInput;

export function parseViewValues(state: unknown): ViewValues {
  const parsed = viewStateSchema.parse(state);
  return (blockId) => parsed[blockId]?.[inputId];
}
