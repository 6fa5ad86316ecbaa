/** What is here at once when storage answers without waiting, as SQLite does, and comes later otherwise. */
export type Soon<T> = T | Promise<T>

/**
 * Goes on with a value, at once when it is here. Where nearly every request passes this takes the place of `await`, which
 * costs a promise and a turn of the microtask queue even when there is nothing to wait for.
 */
export function andThen<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The same with two values that were asked for beside each other. */
export function andThenBoth<A, B, R>(one: Soon<A>, other: Soon<B>, next: (one: A, other: B) => Soon<R>): Soon<R> {
  if (one instanceof Promise || other instanceof Promise) return Promise.all([one, other]).then(([a, b]) => next(a, b))
  return next(one, other)
}

/** The value of `run`, or what is made of its failure, whether it fails at once or later. */
export function catching<T>(run: () => Soon<T>, otherwise: (error: unknown) => Soon<T>): Soon<T> {
  try {
    const value = run()
    return value instanceof Promise ? value.catch(otherwise) : value
  } catch (error) {
    return otherwise(error)
  }
}
