/** A value, or a promise of it: SQLite answers synchronously, PostgreSQL later. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` synchronously if `value` is not a promise. Replaces `await` on hot paths, where it would cost a promise
 * and a turn of the microtask queue even with nothing to wait for.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The same with two values requested in parallel. */
export function andThenBoth<A, B, R>(
  one: MaybePromise<A>,
  other: MaybePromise<B>,
  next: (one: A, other: B) => MaybePromise<R>,
): MaybePromise<R> {
  if (one instanceof Promise || other instanceof Promise) return Promise.all([one, other]).then(([a, b]) => next(a, b))
  return next(one, other)
}

/** Returns the value of `run`, or handles its failure, synchronous or not. */
export function catching<T>(
  run: () => MaybePromise<T>,
  otherwise: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = run()
    return value instanceof Promise ? value.catch(otherwise) : value
  } catch (error) {
    return otherwise(error)
  }
}
