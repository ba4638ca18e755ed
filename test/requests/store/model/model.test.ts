import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../../../src/audit-log/verify.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { databases } from '../../../support/databases.ts';
import { propertyRuns } from '../../../support/sampling.ts';
import { logKeys, noon } from '../rows.ts';
import { people } from './command.ts';
import { commands } from './commands.ts';
import { openReal } from './real.ts';

const runs = propertyRuns(15, 5);
const histories = runs.numRuns;
const maxCalls = 400;

describe.each(databases())('the state machine on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it(`matches the model in ${histories} histories of up to ${maxCalls} calls`, async () => {
    const history = fc.commands(commands, { maxCommands: maxCalls, size: 'max' });
    const sameAsModel = fc.asyncProperty(history, async (calls) => {
      const real = openReal(database.db);
      await real.connect(noon);
      const addresses = new Map(people.map((id) => [id, { mailbox: id, isTagged: false }]));
      const setup = () => ({
        model: {
          now: noon.getTime(),
          rows: new Map(),
          addresses,
          log: [],
          ballots: new Map(),
        },
        real,
      });
      await fc.asyncModelRun(setup, calls);
    });
    await fc.assert(sameAsModel, runs);

    const reports = await verifyAuditLog(database.db, logKeys, []);
    expect(reports.length).toBeGreaterThan(histories / 2);
    expect(reports.filter(({ firstBreak }) => firstBreak)).toEqual([]);
  });
});
