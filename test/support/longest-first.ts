import { BaseSequencer, type TestSpecification } from 'vitest/node';

/*
 * A long file that starts last keeps one worker busy while the others have nothing left to do.
 * Without the durations of an earlier run, as after a fresh install, only the sizes of the files
 * are known, and they say little. Those that compute take turns with those that mostly wait.
 */
const startFirst = [
  'embedded/durability.test.ts',
  'users/service-failures.test.ts',
  'test/main.test.ts',
  'approvals/failures.test.ts',
  'browser/main-job.test.ts',
  'workspaces/slow-setup.test.ts',
  'fault-matrix/fault-matrix.test.ts',
  'listeners/submissions.test.ts',
  'outbox/alert-storm.test.ts',
  'approvals/publish.test.ts',
  'browser/watch.test.ts',
  'browser/alerts.test.ts',
  'workspaces/units.test.ts',
  'browser/setup.test.ts',
  'jobs/job-queue.test.ts',
  'approvals/restart.test.ts',
  'approvals/late-result.test.ts',
  'approvals/grace-period-restart.test.ts',
  'outbox/random-histories.test.ts',
  'workspaces/token-secrecy.test.ts',
  'workspaces/fault-secrecy.test.ts',
  'watches/exactly-once.test.ts',
  'browser/phone.test.ts',
  'browser/looking.test.ts',
];

/** The order in which the workers take the files: the longest first, then as vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

function place({ moduleId }: TestSpecification): number {
  const index = startFirst.findIndex((end) => moduleId.endsWith(`/${end}`));
  return index === -1 ? startFirst.length : index;
}
