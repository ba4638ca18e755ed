import { people } from '../../playground/people.ts';
import type { NonEmpty, Random } from '../../playground/service/data/random.ts';
import type { Seed } from './payload-seeds.ts';

const ids: NonEmpty<string> = [people.ana, people.ben, people.cleo, people.gus, people.dee, 'U0NO'];

const strange: NonEmpty<() => unknown> = [
  ...([() => null, () => '', () => 0, () => -1, () => 1e308, () => true, () => []] as const),
  ...([() => ({}), () => [null], () => '{', () => '{}', () => '[]', () => 'null'] as const),
  ...([() => '\u0000', () => '\u202e\u200b', () => '\ud800', () => '<!channel>'] as const),
  ...([() => '__proto__', () => 'constructor', () => "'; drop table approval; --"] as const),
  ...([() => 'x'.repeat(20_000), () => nested(300)] as const),
  ...([() => '2999-12-31', () => '9'.repeat(400), () => '99:99', () => 'a@b@c'] as const),
];

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

export type MutatedBody = { contentType: string; body: string };

/**
 * A body that is mostly like what Slack sends, and wrong in a few places. `number` keeps equal bodies from
 * being refused as repeated.
 */
export function mutate(seed: Seed, random: Random, number: number): MutatedBody {
  if ('json' in seed) {
    const json = damage(JSON.stringify(mutateTree(seed.json, random)), random);
    // White space after JSON means nothing.
    const suffix = number.toString(2).replaceAll('0', ' ').replaceAll('1', '\t');
    return { contentType: 'application/json', body: `${json}${suffix}` };
  }
  const fields =
    'command' in seed
      ? mutateTree(seed.command, random)
      : { payload: JSON.stringify(mutateTree(seed.payload, random)) };
  const entries = Object.entries(fields).map(([name, value]) => [name, textOf(value)]);
  const form = damage(new URLSearchParams(Object.fromEntries(entries)).toString(), random);
  return { contentType: 'application/x-www-form-urlencoded', body: `${form}&n=${number}` };
}

/** Now and then, bytes that no encoder would produce. */
function damage(body: string, random: Random): string {
  if (!random.chance(0.05)) return body;
  const at = random.integer(0, body.length);
  return random.chance(0.5)
    ? body.slice(0, at)
    : `${body.slice(0, at)}${random.pick(['%', '%ff', '&', '=', '\u0001'])}${body.slice(at + 1)}`;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

type Slot = { parent: Record<string, unknown>; key: string };

function mutateTree(original: Record<string, unknown>, random: Random): Record<string, unknown> {
  const tree = structuredClone(original);
  for (let count = random.integer(0, 4); count > 0; count -= 1) {
    const [first, ...rest] = slotsOf(tree);
    if (!first) break;
    mutateSlot(random.pick([first, ...rest]), random);
  }
  return tree;
}

function slotsOf(value: unknown): Slot[] {
  if (!isRecord(value)) return [];
  return Object.keys(value).flatMap((key) => [{ parent: value, key }, ...slotsOf(value[key])]);
}

function mutateSlot({ parent, key }: Slot, random: Random): void {
  const value = parent[key];
  const kind = random.integer(0, 5);
  if (kind === 0) delete parent[key];
  else if (kind === 1) parent[key] = random.pick(ids);
  else if (kind === 2) parent[key] = [value, value];
  else if (kind === 3 && typeof value === 'string') parent[key] = mutateText(value, random);
  else parent[key] = random.pick(strange)();
}

/** Values of buttons and metadata of forms are JSON in a string: mutated inside too. */
function mutateText(text: string, random: Random): string {
  try {
    const inner: unknown = JSON.parse(text);
    if (isRecord(inner)) return JSON.stringify(mutateTree(inner, random));
  } catch {
    // Not JSON: changed as text.
  }
  const at = random.integer(0, text.length);
  return `${text.slice(0, at)}${random.pick(['"', '\\', '\n', '🪢', '%00'])}${text.slice(at + 1)}`;
}

/** Arrays too: their indexes are keys. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
