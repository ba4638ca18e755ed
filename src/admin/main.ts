import { runAdmin } from './run-admin.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await runAdmin(argv.slice(2), { env, stdout, stderr });
