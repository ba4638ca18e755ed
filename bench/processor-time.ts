import { readdirSync, readFileSync } from 'node:fs';

/** The unit in which Linux counts a process's time. */
const ticksPerSecond = 100;

/** Processor time of a process so far, in user and kernel mode. Milliseconds; only on Linux. */
export function processorMs(pid: number): number {
  const { own } = readTimes(pid);
  return own;
}

/** The same with that of its children, of those that have ended too: all of a PostgreSQL server. */
export function processorMsWithChildren(pid: number): number {
  const { own, ended } = readTimes(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const times = readTimes(Number(name));
        return times.parent === pid ? [times.own] : [];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
  return children.reduce((sum, ms) => sum + ms, own + ended);
}

function readTimes(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the program's name, which can contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  const toMs = (ticks: number) => (ticks * 1000) / ticksPerSecond;
  return {
    parent: fields[1],
    own: toMs(user + system),
    ended: toMs(endedUser + endedSystem),
  };
}
