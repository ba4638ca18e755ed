import { readFileSync } from 'node:fs';

/** The unit in which Linux counts a process's time. */
const ticksPerSecond = 100;

/** Milliseconds of processor time that a process has used, in user and kernel mode. Only on Linux. */
export function processorMs(pid: number): number {
  // The fields after the program's name, which can contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}
