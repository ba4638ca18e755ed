import type { Database } from '../../database/tables.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { ProbeResult } from '../../dataprotection/probe-connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { TransactionHooks } from '../../requests/store/transaction-hooks.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { TokenCipher } from '../../workspace/store/token-cipher.ts';
import type { UserExists } from '../setup/index.ts';
import type { Anchor } from '../watches/index.ts';
import type { ReadToken } from './file/resolve-tokens.ts';

/** What configuration files are planned and applied with. */
export type ConfigurationContext = {
  db: Database;
  cipher: TokenCipher;
  hooks: TransactionHooks;
  readToken: ReadToken;
  /** The client of a workspace, or why Slack can't be asked: sentences. */
  openSlack: (teamId: string) => Promise<{ slack: SlackClient | undefined; skipped: string[] }>;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  userExists: UserExists;
  /** The service's newest alert, at which new watches begin. */
  readAnchor: (connection: ServiceConnection) => Promise<Anchor>;
};
