import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { modalBlock } from './blocks.ts';
import { identifier, plainText } from './composition-objects.ts';
import { type Problem, problem, problemsOf } from './problem.ts';
import { crossBlockProblems, hasInput } from './rules.ts';

/** https://docs.slack.dev/reference/methods/views.open#errors: `view_too_large`. */
export const VIEW_BYTES = 250_000;

/** A validated modal, so that its blocks are of known types. */
export type Modal = Omit<ModalView, 'blocks'> & { blocks: KnownBlock[] };

/** A validated Home tab. */
export type Home = Omit<HomeView, 'blocks'> & { blocks: KnownBlock[] };

const modal = z
  .strictObject({
    type: z.literal('modal'),
    title: plainText(24),
    blocks: z.array(modalBlock).max(100),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    private_metadata: z.string().max(3000).optional(),
    callback_id: identifier.optional(),
    external_id: z.string().max(255).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
  })
  .refine((view) => view.submit !== undefined || !hasInput(view.blocks), {
    message: 'must have a submit button when there is an input block',
    path: ['submit'],
  });

const home = z.strictObject({
  type: z.literal('home'),
  blocks: z.array(modalBlock).max(100),
  private_metadata: z.string().max(3000).optional(),
  callback_id: identifier.optional(),
  external_id: z.string().max(255).optional(),
});

const withBlocks = z.looseObject({ blocks: z.unknown() });

const validateAs = (schema: z.ZodType, view: unknown): Problem[] => {
  const parsed = schema.safeParse(view);
  const own = parsed.success ? [] : problemsOf(parsed.error, '/view');
  const loose = withBlocks.safeParse(view);
  if (!loose.success) return own.length > 0 ? own : [problem('/view', 'must be a view object')];
  return [...own, ...crossBlockProblems(loose.data.blocks, '/view/blocks')];
};

/** The problems for which Slack would refuse a modal. */
export const validateView = (view: unknown): Problem[] => validateAs(modal, view);

/** The problems for which Slack would refuse a Home tab. */
export const validateHome = (view: unknown): Problem[] => validateAs(home, view);

export const isHome = (view: unknown): view is Home => validateHome(view).length === 0;

export const isModal = (view: unknown): view is Modal => validateView(view).length === 0;
