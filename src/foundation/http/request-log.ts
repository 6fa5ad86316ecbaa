import type { FastifyBaseLogger } from 'fastify'

type Write = FastifyBaseLogger['info']

/**
 * Returns a request's logger, which names the request in each line. Created at first use: most requests log nothing,
 * and a child logger costs as much as a credential lookup.
 */
export function requestLog(logger: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger {
  return new RequestLog(logger, bindings) as unknown as FastifyBaseLogger
}

class RequestLog {
  readonly #logger: FastifyBaseLogger
  readonly #bindings: Record<string, unknown>
  #made: FastifyBaseLogger | undefined

  constructor(logger: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#logger = logger
    this.#bindings = bindings
  }

  get #child(): FastifyBaseLogger {
    this.#made ??= this.#logger.child(this.#bindings)
    return this.#made
  }

  get level(): string {
    return this.#logger.level
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#child.child(...args)
  }

  fatal(...args: Parameters<Write>): void {
    this.#child.fatal(...args)
  }

  error(...args: Parameters<Write>): void {
    this.#child.error(...args)
  }

  warn(...args: Parameters<Write>): void {
    this.#child.warn(...args)
  }

  info(...args: Parameters<Write>): void {
    this.#child.info(...args)
  }

  debug(...args: Parameters<Write>): void {
    this.#child.debug(...args)
  }

  trace(...args: Parameters<Write>): void {
    this.#child.trace(...args)
  }

  silent(...args: Parameters<Write>): void {
    this.#child.silent(...args)
  }
}
