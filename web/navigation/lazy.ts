import { type ComponentType, lazy } from 'react'

/** A part of the console was not there to be fetched: the server is another version by now, or cannot be reached. */
export class NotLoaded extends Error {}

/** A page whose program is fetched when it is first looked at. */
export function lazyPage(load: () => Promise<ComponentType>) {
  return () => fetched(load)
}

/** The same for a large part of a page. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await fetched(load) }))
}

async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new NotLoaded('Part of the console could not be loaded', { cause })
  }
}
