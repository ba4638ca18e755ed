import { errorResponse, json, type ServiceResponse } from '../http/response.ts';
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
  const response = errorResponse(status, message, headers);
  switch (body) {
    case 'json':
      return response;
    case 'string-code':
      return {
        ...response,
        text: json(status, { errors: [{ error_code: `E${status}`, error_message: message }] }).text,
      };
    case 'html':
      return { ...response, contentType: 'text/html; charset=utf-8', text: html };
    case 'empty':
      return { ...response, text: '' };
    case 'cut-off':
      return { ...response, text: response.text.slice(0, response.text.length / 2) };
    case 'wrong-type':
      return { ...response, contentType: 'text/plain' };
  }
}
