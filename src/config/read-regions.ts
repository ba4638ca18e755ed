import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { builtInRegions, type Region, regionsSchema } from '../dataprotection/region.ts';
import { loadYaml } from '../yaml.ts';
import { ConfigError } from './config-error.ts';

const configFile = z.strictObject({ regions: regionsSchema });

/** The regions of the operator's file, then the built-in ones with other ids. @throws {ConfigError} */
export function regionsWith(path: string | undefined): Region[] {
  if (path === undefined) return builtInRegions;
  const regions = readRegions(path);
  const isReplaced = ({ id }: Region) => regions.some((region) => region.id === id);
  return [...regions, ...builtInRegions.filter((one) => !isReplaced(one))];
}

function readRegions(path: string): Region[] {
  const parsed = configFile.safeParse(readYaml(path));
  if (parsed.success) return parsed.data.regions;
  const issue = parsed.error.issues[0];
  throw new ConfigError(
    `BELAY_CONFIG: ${path}: ${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'is invalid'}`,
  );
}

function readYaml(path: string): unknown {
  try {
    return loadYaml().parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'unreadable';
    throw new ConfigError(`BELAY_CONFIG: can't read ${path} as YAML: ${why}`);
  }
}
