import { z } from 'zod';

/** Which connection a setup change is about, and how it changes. */
export const connectionTarget = z.object({
  kind: z.enum(['add', 'edit', 'remove', 'make-default']),
  /** Of a connection that is added, the id that it will have. */
  originId: z.uuid(),
  name: z.string(),
  /** The old name, if another was given; with `make-default`, the connection that was the default. */
  nameBefore: z.string().optional(),
});
export type ConnectionTarget = z.infer<typeof connectionTarget>;
