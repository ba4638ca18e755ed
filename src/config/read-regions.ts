import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isJsonObject } from '../dataprotection/json.ts';
import { builtInRegions, type Region, regionsSchema } from '../dataprotection/region.ts';
import { loadYaml } from '../yaml.ts';
import { ConfigError } from './config-error.ts';

const configFile = z.strictObject({ regions: regionsSchema });

type RegionsFile = { regions: Region[]; notices: string[] };

/** The regions of the operator's file, then the built-in ones with other ids. @throws {ConfigError} */
export function regionsWith(path: string | undefined): RegionsFile {
  if (path === undefined) return { regions: builtInRegions, notices: [] };
  const { regions, notices } = readRegions(path);
  const isReplaced = ({ id }: Region) => regions.some((region) => region.id === id);
  return { regions: [...regions, ...builtInRegions.filter((one) => !isReplaced(one))], notices };
}

function readRegions(path: string): RegionsFile {
  const { file, notices } = renameForm(readYaml(path), path);
  const parsed = configFile.safeParse(file);
  if (parsed.success) return { regions: parsed.data.regions, notices };
  const issue = parsed.error.issues[0];
  throw new ConfigError(
    `BELAY_CONFIG: ${path}: ${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'is invalid'}`,
  );
}

/** Renames the key `form` of older configuration files to `dialect`, with a notice. */
function renameForm(file: unknown, path: string): { file: unknown; notices: string[] } {
  if (!isJsonObject(file) || !Array.isArray(file.regions)) return { file, notices: [] };
  let isRenamed = false;
  const regions = file.regions.map((region: unknown, index) => {
    if (!isJsonObject(region) || region.form === undefined) return region;
    isRenamed = true;
    const { form, ...rest } = region;
    const { dialect = form } = rest;
    if (dialect === form) return { ...rest, dialect };
    throw new ConfigError(
      `BELAY_CONFIG: ${path}: regions.${index}: dialect is ${dialect}, but form (the old name of dialect) is ${form}: remove form`,
    );
  });
  const notice = `BELAY_CONFIG: ${path}: form is now called dialect: rename the key`;
  return { file: { ...file, regions }, notices: isRenamed ? [notice] : [] };
}

function readYaml(path: string): unknown {
  try {
    return loadYaml().parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'unreadable';
    throw new ConfigError(`BELAY_CONFIG: can't read ${path} as YAML: ${why}`);
  }
}
