import { z } from 'zod';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  normalizeText,
  withoutListOptions,
} from '../../alerts/index.ts';

export const unusableSearch =
  'is too long, or one of its values is empty or longer than 100 characters';

const text = z
  .string()
  .min(1)
  .refine((typed) => normalizeText(typed) === typed, 'has double quotes or repeated spaces');

export const filterFields = z.strictObject({
  severities: z.array(z.string()).min(1).optional(),
  types: z.array(z.string()).min(1).optional(),
  policy: text.optional(),
  words: z.array(text).optional(),
});
type Filter = z.infer<typeof filterFields>;

/** Which alerts a watch or digest is about. */
export const filter = filterFields.refine(
  (given) => alertSearchSchema.safeParse(toSearch(given)).success,
  unusableSearch,
);

/** As it is stored. */
export function toSearch({ words = [], ...given }: Filter = {}): AlertSearch {
  return withoutListOptions({ ...defaultSearch, ...given, words });
}

export function toFilter({
  severities,
  types,
  policy,
  words,
}: Pick<AlertSearch, 'severities' | 'types' | 'policy' | 'words'>): Filter {
  return { severities, types, policy, words };
}

/** Undefined for all alerts. */
export function canonicalFilter({ severities, types, policy, words = [] }: Filter = {}) {
  const sorted = {
    ...(severities && { severities: severities.toSorted() }),
    ...(types && { types: types.toSorted() }),
    ...(policy !== undefined && { policy }),
    ...(words.length > 0 && { words }),
  };
  return Object.keys(sorted).length > 0 ? sorted : undefined;
}
