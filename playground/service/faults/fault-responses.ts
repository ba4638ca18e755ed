import { json, refuse, type ServiceResponse } from '../http/response.ts';
import type { FaultOf } from './fault.ts';

const html = '<!doctype html><title>Gateway</title><h1>We will be right back</h1>';
const message = 'A fault on demand.';

/** 200 with the HTML page of a gateway. */
export const htmlPage: ServiceResponse = {
  status: 200,
  contentType: 'text/html; charset=utf-8',
  text: html,
};

export const emptyResponse: ServiceResponse = {
  status: 200,
  contentType: 'application/json',
  text: '',
};

/** Bytes that are neither JSON nor text, with a JSON content type. */
export const garbage: ServiceResponse = {
  status: 200,
  contentType: 'application/json',
  text: '\u0000\u0007{]\ufffd<\u001b[2J"\u0000'.repeat(20),
};

export function redirectTo({ location, status = 307 }: FaultOf<'redirect'>): ServiceResponse {
  return { status, headers: { location }, text: '' };
}

/** A status with an error body in one of the shapes that services and gateways send. */
export function statusResponse({
  status,
  headers,
  body = 'json',
}: FaultOf<'status'>): ServiceResponse {
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
