/**
 * Loaded before a program (`--import`): counts the program's fsyncs and records the files.
 * Every call goes through to the real file system.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { fsyncSync, openSync } = fs;
const pathOf = new Map<number, string>();
const synced = new Set<string>();
let count = 0;

fs.openSync = (...parameters) => {
  const descriptor = openSync(...parameters);
  pathOf.set(descriptor, fs.realpathSync(parameters[0]));
  return descriptor;
};
fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor);
  count += 1;
  synced.add(pathOf.get(descriptor) ?? 'unknown');
};
syncBuiltinESMExports();

export const fsyncs = { count: () => count, paths: () => [...synced] };
