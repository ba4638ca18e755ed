import { section } from '../../slack/ui/blocks.ts';
import { limits } from '../../slack/ui/limits.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { escapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { hiddenCharacters } from '../../slack/ui/visible.ts';

const maxSections = limits.blocksPerView - 1;
/** Slack refuses a view of more than 250 KB (`view_too_large`). */
const maxBytes = 220_000;
const fence = '```';
const maxPart = limits.sectionText - 2 * fence.length - 2;

/** The exact body of what a request sends: JSON, in as many sections as it takes. */
export function requestBodyModal(body: string): ModalView {
  return noticeModal('Request body', [
    section('The exact body of the change, as Belay sends it to the service:'),
    ...partsThatFit(splitBody(body)).map((part) => section(`${fence}\n${part}\n${fence}`)),
  ]);
}

/** Whether the modal shows the whole body. */
export function fitsRequestBody(body: string): boolean {
  const parts = splitBody(body);
  return partsThatFit(parts).length === parts.length;
}

function partsThatFit(parts: string[]): string[] {
  let bytes = 0;
  return parts.filter((part, index) => {
    // As JSON, where a quotation mark takes two bytes, and with the block around it.
    bytes += Buffer.byteLength(JSON.stringify(part)) + 150;
    return index < maxSections && bytes <= maxBytes;
  });
}

/**
 * The text that is shown, and sent as it is shown: JSON in which nothing is hidden. Characters that show
 * nothing, move others or would end the code block are written as their escapes, which stand for the
 * same text.
 */
export function formatRequestBody(body: object): string {
  const text = JSON.stringify(body, undefined, 2);
  const hidden = new Set(hiddenCharacters(text.replaceAll('\n', '')));
  return Array.from(text, (one) =>
    one === '`' || one === '⟨' || hidden.has(one) ? escapeJson(one) : one,
  ).join('');
}

function escapeJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const hex = character.charCodeAt(index).toString(16);
    return `\\u${hex.padStart(4, '0')}`;
  }).join('');
}

/** Parts of escaped mrkdwn that fit into a section each, split between characters. */
function splitBody(body: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const line of body.split('\n')) {
    const escaped = Array.from(`${line}\n`, escapeMrkdwn);
    const length = escaped.reduce((sum, one) => sum + one.length, 0);
    // A line stays whole if it can.
    if (part && part.length + length > maxPart && length <= maxPart) {
      parts.push(part);
      part = '';
    }
    for (const one of escaped) {
      if (part.length + one.length > maxPart) {
        parts.push(part);
        part = '';
      }
      part += one;
    }
  }
  return [...parts, part].filter((one) => one !== '').map((one) => one.replace(/\n$/, ''));
}
