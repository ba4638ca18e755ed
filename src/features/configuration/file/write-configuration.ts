import { createHash } from 'node:crypto';
import { loadYaml } from '../../../yaml.ts';
import { toFile } from './canonical.ts';
import type { TokenReference, Workspace } from './configuration.ts';

/** The text of a configuration file: the same for the same configuration. */
export function writeConfiguration(workspaces: ReadonlyMap<string, Workspace>): string {
  const sorted = [...workspaces].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const file = {
    version: 1,
    workspaces: Object.fromEntries(sorted.map(([id, workspace]) => [id, withoutEmpty(workspace)])),
  };
  return loadYaml().stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Leaves out what is empty within a section; a section itself says that there is nothing. */
function withoutEmpty(workspace: Workspace) {
  return Object.fromEntries(
    Object.entries(toFile(workspace)).map(([section, value]) => [section, pruned(value)]),
  );
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  const isEmpty = (one: unknown) => one === undefined || (Array.isArray(one) && one.length === 0);
  const kept = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(kept.map(([key, one]) => [key, pruned(one)]));
}

/**
 * Where the token of a connection is expected, derived from the names alone, so that an export depends
 * on nothing but what is stored. Names that would share a variable get a part of their hash.
 */
export function defaultTokenReference(teamId: string, name: string): TokenReference {
  const plain = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  const isUnique = /^[a-z0-9-]+$/i.test(name);
  const hash = createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 6);
  const team = teamId.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
  return { env: `BELAY_TOKEN_${team}_${plain}${isUnique ? '' : `_${hash.toUpperCase()}`}` };
}
