import { globSync } from 'node:fs';
import { z } from 'zod';
import type { MessageBlock } from '../../src/slack/ui/blocks.ts';
import { everyView } from '../features/every-view.ts';
import type { Samples } from '../features/samples.ts';

const src = new URL('../../src/', import.meta.url);

export const messageSchema = z.object({
  text: z.string().min(1).max(4000),
  blocks: z.array(z.custom<MessageBlock>()),
});
export const modalSchema = z.looseObject({
  type: z.literal('modal'),
  blocks: z.array(z.unknown()),
});

/** A part of the Home tab. */
export const homeSchema = z.looseObject({
  type: z.literal('home'),
  blocks: z.array(z.unknown()),
});

export type View =
  | z.infer<typeof messageSchema>
  | z.infer<typeof modalSchema>
  | z.infer<typeof homeSchema>;

/** `folder`: the feature, or the module of `src/`, that the view belongs to. */
export type ListedView = { folder: string; name: string; view: View };

type Exported = { folder: string; name: string; value: unknown };

async function exportsOf(...globs: string[]): Promise<Exported[]> {
  const files = globs.flatMap((glob) => globSync(glob, { cwd: src })).sort();
  const exported = await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(new URL(file, src).href);
      const folder = folderOf(file);
      return Object.entries(module).map(([name, value]) => ({ folder, name, value }));
    }),
  );
  return exported.flat();
}

/** `features/users/views/ids.ts` → `users`; `slack/api/post.ts` → `slack`; `app.ts` → `app`. */
export function folderOf(file: string): string {
  return /^(?:features\/)?([^/.]+)/.exec(file)?.[1] ?? file;
}

/** The functions that return a message, also one to enqueue, a modal or a part of Home. */
export async function findBuilders(): Promise<Exported[]> {
  const exported = await exportsOf('**/views/**/*.ts', '{postings,subscriptions}/**/*.ts');
  return exported.filter(({ name, value }) => builder.test(name) && typeof value === 'function');
}

const builder =
  /(Message|Modal|Card)$|^withLateness$|^home\w+Blocks$|^(outage\w*|connectionReplaced)Notice$/;

/** Every view as the builders draw it with `samples`, and every view that needs no data. */
export async function listViews(samples: Samples): Promise<ListedView[]> {
  const drawn = everyView(samples);
  const builders = await findBuilders();
  const constants = await exportsOf(
    '{features,requests,subscriptions,workspace,postings,slack}/**/*.ts',
  );
  return [
    ...builders.map((one) => ({ ...one, values: drawn[one.name] ?? [] })),
    ...constants.map((one) => ({ ...one, values: [one.value] })),
  ]
    .flatMap(({ folder, name, values }) =>
      values.flatMap((value) => {
        const view =
          modalSchema.safeParse(value).data ??
          homeSchema.safeParse(value).data ??
          messageSchema.safeParse(value).data;
        return view ? [{ folder, name, view }] : [];
      }),
    )
    .sort((a, b) => a.folder.localeCompare(b.folder) || a.name.localeCompare(b.name));
}
