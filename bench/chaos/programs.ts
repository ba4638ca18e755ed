import type { Judged } from '../aims.ts';
import { chaosDesk } from '../desk/chaos-desk.ts';
import { chaosDigests } from '../digest/chaos-digests.ts';
import { chaosHome } from '../home/chaos-home.ts';
import { chaosOutages } from '../outages/chaos-outages.ts';
import { chaosPolicies } from '../policies/chaos-policies.ts';
import { chaosPolicyWatches } from '../policy-watches/chaos-policy-watches.ts';
import { amount } from '../read-options.ts';
import { chaosRestores } from '../restores/chaos-restores.ts';
import { chaosDeskStorm } from '../storm/desk-storm.ts';
import { chaosStorm } from '../storm/storm.ts';
import { chaosUpgrade } from '../upgrade/chaos-upgrade.ts';
import { chaosApprovals } from './approvals.ts';
import { chaosBulk } from './bulk/chaos-bulk.ts';
import { chaosInstallations } from './installations/main.ts';
import { chaosPayloads } from './payloads.ts';

/** How much a program does. Most look at one of these only. */
export type Amounts = {
  kills: number;
  minutes: number;
  payloads: number;
  /** Of `installations`, as the following. */
  steps: number;
  workspaces: number;
  moments: number;
};

type Options = Amounts & {
  serverUrl: string;
  seed: number;
  from: string | undefined;
  foreign: boolean;
  socket: boolean;
  embedded: boolean;
  /** Belay is installed with OAuth, with tokens that rotate, instead of with a bot token. */
  oauth: boolean;
  only: string;
  logLevel: string;
  /** One part of `installations`, which runs all of them without it. */
  part: string | undefined;
};

type Program = {
  run: (options: Options) => Promise<Judged>;
  needsServer: boolean;
  /** By default, where it isn't the usual amount. */
  amounts?: Partial<Amounts>;
  /** Why it has no `--oauth`. */
  noOAuth?: string;
};

export const usualAmounts: Amounts = {
  kills: amount(200, 4),
  minutes: amount(5, 0.2),
  payloads: amount(100_000, 1000),
  steps: amount(20_000, 300),
  workspaces: amount(1000, 20),
  moments: amount(100, 3),
};

/** Every chaos program by its name on the command line. */
export const programs: Readonly<Record<string, Program>> = {
  approvals: { run: chaosApprovals, needsServer: true },
  outages: { run: chaosOutages, needsServer: true },
  digests: { run: chaosDigests, needsServer: true },
  payloads: { run: chaosPayloads, needsServer: true },
  bulk: { run: chaosBulk, needsServer: true, amounts: { kills: amount(50, 2) } },
  home: { run: chaosHome, needsServer: true, amounts: { kills: amount(20, 2) } },
  upgrade: { run: chaosUpgrade, needsServer: true, amounts: { minutes: amount(10, 0.1) } },
  storm: { run: chaosStorm, needsServer: false },
  'desk-storm': { run: chaosDeskStorm, needsServer: true, amounts: { minutes: amount(3, 0.2) } },
  policies: { run: chaosPolicies, needsServer: true, amounts: { kills: amount(100, 3) } },
  restores: { run: chaosRestores, needsServer: true, amounts: { kills: amount(100, 3) } },
  desk: { run: chaosDesk, needsServer: true, amounts: { kills: amount(20, 2) } },
  'policy-watches': {
    run: chaosPolicyWatches,
    needsServer: true,
    amounts: { kills: amount(20, 3), minutes: amount(5, 0.5) },
  },
  installations: {
    run: chaosInstallations,
    needsServer: true,
    amounts: { kills: amount(100, 3) },
    noOAuth: 'its workspaces always install Belay with OAuth',
  },
};
