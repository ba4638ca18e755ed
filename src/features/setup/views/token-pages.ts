import type { PageResponse } from '../../../slack/server/page.ts';
import { renderPage } from '../../../slack/server/render-page.ts';
import type { PageFacts } from '../../../workspace/store/token-pages.ts';

/** `link` and `nonce` come back with the form. */
export function enterTokenPage(
  { workspace, connection, admin }: PageFacts,
  hidden: { link: string; nonce: string },
): PageResponse {
  return renderPage({
    title: 'Enter the API token',
    paragraphs: [
      'The token goes directly to Belay, which stores it encrypted. Continue only if you requested this page in Slack.',
    ],
    facts: [
      { label: 'Workspace', value: workspace },
      ...(connection === undefined ? [] : [{ label: 'Connection', value: connection }]),
      { label: 'Requested by', value: admin },
    ],
    form: {
      hidden,
      secret: { name: 'token', label: 'API token', maxLength: 3000 },
      submit: 'Send token',
    },
  });
}

export function tokenReceivedPage(): PageResponse {
  return renderPage({
    title: 'Token received',
    paragraphs: [
      'Return to Slack and save the form. If the form is closed, open it again from Belay’s direct message.',
      'Belay uses the token only after you save the form, within an hour. You can close this page.',
    ],
  });
}

const problems = {
  gone: {
    status: 410,
    title: 'This link doesn’t work',
    text: 'The link was used before, has expired, or was replaced by a newer one. Nothing was saved. Open the form in Slack again to get a new link.',
  },
  foreign: {
    status: 403,
    title: 'The form wasn’t sent from this page',
    text: 'Nothing was saved. Open the link in Slack again, and allow cookies for this site.',
  },
  unreadable: {
    status: 400,
    title: 'The token isn’t valid',
    text: 'Nothing was saved. A token has at most 3,000 characters and no spaces. Open the link in Slack again.',
  },
  busy: {
    status: 503,
    title: 'Too many requests',
    text: 'Nothing was saved. Open the link in Slack again in a minute.',
  },
  failed: {
    status: 500,
    title: 'Belay couldn’t save the token',
    text: 'Open the link in Slack again. If the link doesn’t work, open the form again to get a new one.',
  },
} as const;

/** `reference` finds the log line. */
export function tokenProblemPage(problem: keyof typeof problems, reference?: string): PageResponse {
  const { status, title, text } = problems[problem];
  return renderPage({
    status,
    title,
    paragraphs: [text, ...(reference ? [`Reference ${reference}`] : [])],
  });
}
