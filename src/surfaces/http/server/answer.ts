import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BODY_BYTES } from '../../../contract/routes.ts';
import { REFUSAL_STATUS, type Refusal } from '../../../domain/refusals.ts';
import { viewRefusal } from '../agents/views.ts';
import type { PageFile } from './page.ts';

/** Headers of every answer. They forbid framing, sniffing, caching, and loading parts from other origins. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function answerFile(request: IncomingMessage, response: ServerResponse, file: PageFile): void {
  const { plain, gzipped } = file.content();
  const isTaken = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isTaken) response.setHeader('content-encoding', 'gzip');
  response.setHeader('vary', 'accept-encoding');
  const body = isTaken ? gzipped : plain;
  response.writeHead(200, {
    ...HEADERS,
    'content-type': file.type,
    'content-length': body.length,
    ...(file.isNamedByContent ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
  });
  response.end(body);
}

export const answerJson = (response: ServerResponse, status: number, body: unknown): void =>
  answer(response, status, 'application/json; charset=utf-8', JSON.stringify(body));

/**
 * Answers with a refusal and its HTTP status, such as 404 or 409. The hint depends on the reader, because an agent
 * cannot run the operator's commands. Closes the connection, because a part of the request's body can still be unread.
 */
export function answerRefusal(response: ServerResponse, refusal: Refusal, reader?: 'operator' | 'agent'): void {
  response.setHeader('connection', 'close');
  answerJson(response, REFUSAL_STATUS[refusal.code], viewRefusal(refusal, reader));
}

/** A header that makes buffering proxies such as nginx forward events at once. */
const AS_IT_COMES = { 'x-accel-buffering': 'no' } as const;

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, ...AS_IT_COMES, 'content-type': 'text/event-stream; charset=utf-8' });
}

/**
 * Returns the body, parsed as JSON, or the reason why the body was refused. Never holds more than MAX_BODY_BYTES in
 * memory.
 */
export async function readBody(request: IncomingMessage): Promise<{ readonly value: unknown } | Refusal> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES)
      return { code: 'too_large', sentence: `The body is larger than ${MAX_BODY_BYTES / 1024} KiB` };
    chunks.push(chunk);
  }
  try {
    return { value: length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { code: 'bad_request', sentence: 'The body is not valid JSON' };
  }
}
