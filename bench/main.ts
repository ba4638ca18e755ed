import { judge } from './aims.ts';
import { benches } from './benches.ts';
import { recordResult } from './report/record-result.ts';
import { runAll } from './report/run-all.ts';
import { storeRecord } from './report/store-record.ts';

const [, , name = '', ...options] = process.argv;
// The benchmarks parse their own options, and none of them knows this one.
const isWritten = options.includes('--write');
const own = options.filter((option) => option !== '--write');
process.argv.splice(3, options.length, ...own);

const bench = benches[name];
if (name === 'all') {
  const failed = await runAll(own, async (of, record) => {
    if (isWritten) await storeRecord(of, record);
  });
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`);
  if (failed.length > 0) process.exitCode = 1;
} else if (bench) {
  const result = await bench.run();
  if (!judge(result)) process.exitCode = 1;
  if (isWritten) await storeRecord(name, await recordResult(result));
  process.stdout.write(`${JSON.stringify(result)}\n`);
} else {
  const names = [...Object.keys(benches), 'all'].join(' | ');
  process.stderr.write(`Usage: npm run -s bench -- ${names} [--short | --write]\n`);
  process.exitCode = 1;
}
