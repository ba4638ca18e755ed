import { alertWatchSection } from './alert-watches.ts';
import { channelSection } from './channels.ts';
import { complianceWatchSection } from './compliance-watches.ts';
import type { Section } from './define-section.ts';
import { digestSection } from './digests.ts';
import { muteSection } from './mutes.ts';
import { policyWatchSection } from './policy-watches.ts';
import { savedFilterSection } from './saved-filters.ts';

/** The sections with what is in a channel, in the order of the file. */
export const sections: Section[] = [
  channelSection,
  alertWatchSection,
  complianceWatchSection,
  policyWatchSection,
  muteSection,
  savedFilterSection,
  digestSection,
];
