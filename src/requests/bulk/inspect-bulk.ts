import type { RequestContext } from '../request-context.ts';
import { formatExcess } from '../views/requested-message.ts';
import { type InspectedSubject, type InspectInput, inspectSubjects } from './inspect-subjects.ts';
import { refuseExcess } from './refuse-excess.ts';

export type BulkInspection = {
  /** The subjects of a bulk request, and why some can't be requested; `excess`: too many, mrkdwn. */
  inspectSubjects: (
    input: InspectInput,
  ) => Promise<{ subjects: InspectedSubject[]; excess: string | undefined }>;
};

/** Checks each subject of a bulk request before it is made, and all of them against the limit. */
export function createBulkInspection(context: RequestContext): BulkInspection {
  return {
    async inspectSubjects(input) {
      const subjects = await inspectSubjects(input, context);
      const children = subjects.filter((subject) => 'checks' in subject);
      const excess = await refuseExcess({ ...input, children }, context);
      return { subjects, excess: excess && formatExcess(excess) };
    },
  };
}
