import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file that is identical for every reader until the server is replaced. */
export interface FileAnswer {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly zipped: Buffer
}

const compress = promisify(gzip)

export async function toFileAnswer(type: string, content: string | Buffer): Promise<FileAnswer> {
  const plain = Buffer.from(content)
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { type, etag, plain, zipped: await compress(plain) }
}

/** Sends a file, compressed if accepted, or 304 if the reader's copy is current (RFC 9110 §13.1.2). */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): FastifyReply {
  reply.headers({ etag: file.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.type(file.type)
  const isZipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(request.headers['accept-encoding'] ?? ''))
  return isZipped ? reply.header('content-encoding', 'gzip').send(file.zipped) : reply.send(file.plain)
}
