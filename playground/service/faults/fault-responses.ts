import { type Answer, json, refuse } from '../http/response.ts';
import type { FaultOf } from './fault.ts';

const html = '<!doctype html><title>Gateway</title><h1>We will be right back</h1>';
const message = 'A fault on demand.';

/** 200, but a gateway's page. */
export const htmlPage: Answer = {
  status: 200,
  contentType: 'text/html; charset=utf-8',
  text: html,
};

export const emptyAnswer: Answer = { status: 200, contentType: 'application/json', text: '' };

/** Neither JSON nor any other text, behind a header that promises JSON. */
export const garbage: Answer = {
  status: 200,
  contentType: 'application/json',
  text: '\u0000\u0007{]\ufffd<\u001b[2J"\u0000'.repeat(20),
};

export function redirectTo({ location, status = 307 }: FaultOf<'redirect'>): Answer {
  return { status, headers: { location }, text: '' };
}

/** The status with an error body in one of the shapes that services and their gateways send. */
export function answerStatus({ status, headers, body = 'json' }: FaultOf<'status'>): Answer {
  const usual = refuse(status, message, headers);
  switch (body) {
    case 'json':
      return usual;
    case 'string-code':
      return {
        ...usual,
        text: json(status, { errors: [{ error_code: `E${status}`, error_message: message }] }).text,
      };
    case 'html':
      return { ...usual, contentType: 'text/html; charset=utf-8', text: html };
    case 'empty':
      return { ...usual, text: '' };
    case 'cut-off':
      return { ...usual, text: usual.text.slice(0, usual.text.length / 2) };
    case 'wrong-type':
      return { ...usual, contentType: 'text/plain' };
  }
}
