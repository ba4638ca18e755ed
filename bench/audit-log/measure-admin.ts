import { Writable } from 'node:stream';
import { runAdmin } from '../../src/admin/run-admin.ts';

/** Runs `audit verify` or `audit export` and prints its time, processor time and peak memory. */
const { argv, env, stdout, stderr } = process;
const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
const startedAt = performance.now();
const code = await runAdmin(['audit', ...argv.slice(2)], { env, stdout: sink, stderr });
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage();
const cpuSeconds = (user + system) / 1_000_000;
const peakMb = process.resourceUsage().maxRSS / 1024;
stdout.write(JSON.stringify({ code, seconds, cpuSeconds, peakMb }));
