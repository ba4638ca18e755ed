import { BaseSequencer, type TestSpecification } from 'vitest/node';

/*
 * A long file that starts last keeps one worker busy while the others have nothing left to do.
 * Without the durations of an earlier run, as after a fresh install, only the sizes of the files
 * are known, and they say little. Those that compute take turns with those that mostly wait.
 */
const startFirst = [
  'configuration/apply-configuration.test.ts',
  'test/main.test.ts',
  'embedded/durability.test.ts',
  'requests/failures.test.ts',
  'browser/watch.test.ts',
  'setup/second-person.test.ts',
  'users/service-failures.test.ts',
  'browser/main-job.test.ts',
  'setup/units.test.ts',
  'fault-matrix/fault-matrix.test.ts',
  'requests/publish.test.ts',
  'interactions/submissions.test.ts',
  'setup/slow-setup.test.ts',
  'setup/limits-and-owner.test.ts',
  'policies/slow-changes.test.ts',
  'requests/grace-period.test.ts',
  'users/search.test.ts',
  'policy-watches/changes-elsewhere.test.ts',
  'watches/walk-alerts.test.ts',
  'setup/announcements.test.ts',
  'requests/several-approvers.test.ts',
  'features/people-words.test.ts',
  'doctor/doctor.test.ts',
  'alerts/search-alerts.test.ts',
  'test/tracing.test.ts',
  'admin/move-data.test.ts',
  'postings/outbox/alert-storm.test.ts',
  'requests/restart.test.ts',
  'requests/grace-period-restart.test.ts',
  'browser/keyboard.test.ts',
  'browser/page.test.ts',
  'browser/digest.test.ts',
  'postings/outbox/random-histories.test.ts',
  'watches/exactly-once.test.ts',
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
