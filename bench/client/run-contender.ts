import { contenders } from './contenders.ts';

/** A child process in which one contender reads the list once and reports time and memory. */
const [name = '', baseUrl = ''] = process.argv.slice(2);
const contender = await contenders[name]?.();
if (!contender) throw new Error(`there is no contender "${name}"`);

const startedAt = performance.now();
const userCount = await contender(baseUrl);
const ms = performance.now() - startedAt;
process.send?.({ userCount, ms, peakMb: process.resourceUsage().maxRSS / 1024 });
process.exit();
