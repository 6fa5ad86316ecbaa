import { type ComponentType, lazy } from 'react'

/** Thrown if a part of the console could not be fetched: the server was upgraded, or is unreachable. */
export class NotLoaded extends Error {}

/** Returns a large part of a page whose code is fetched on demand. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await fetched(load) }))
}

/** Returns fetched code. Throws `NotLoaded`. */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new NotLoaded('Part of the console could not be loaded', { cause })
  }
}
