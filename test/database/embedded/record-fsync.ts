/**
 * Loaded before a program (`--import`): counts the program's fsyncs and records the files.
 * Every call goes through to the real file system.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { fsyncSync, openSync } = fs;
const { open } = promises;
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
promises.open = async (...parameters) => {
  const file = await open(...parameters);
  const path = fs.realpathSync(parameters[0]);
  const sync = file.sync.bind(file);
  file.sync = async () => {
    await sync();
    count += 1;
    synced.add(path);
  };
  return file;
};
syncBuiltinESMExports();

export const fsyncs = { count: () => count, paths: () => [...synced] };
