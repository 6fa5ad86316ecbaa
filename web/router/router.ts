import type { ComponentType } from 'react'
import { type History, isSameLocation, type Location, toLocation } from './history.ts'
import { matchRoute, type Params, type Route } from './match.ts'

/** The current page and its address. */
export interface RouterState {
  readonly location: Location
  readonly params: Params
  /** Undefined while the first page loads, and after an error. */
  readonly Page: ComponentType | undefined
  /** The error of a page that could not be loaded. */
  readonly error?: unknown
  /** True while the next page loads. */
  readonly isLeaving: boolean
}

export interface Router {
  /** Path prefix of each address. */
  readonly base: string
  read(): RouterState
  /** Calls back after each change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void
  navigate(to: string | number, options?: { readonly replace?: boolean }): void
}

interface Options {
  readonly routes: readonly Route[]
  readonly history: History
  readonly base?: string
}

type Change = 'push' | 'replace' | 'none'

/** Shows the page of each address once its code is loaded; until then, the previous page stays. */
export function createRouter({ routes, history, base = '' }: Options): Router {
  const loaded = new Map<Route, ComponentType>()
  const listeners = new Set<() => void>()
  let state: RouterState = { location: history.read(), params: {}, Page: undefined, isLeaving: false }
  /** Number of the latest navigation: earlier ones that finish late are ignored. */
  let latest = 0

  function set(next: RouterState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function show(location: Location, change: Change): void {
    const turn = ++latest
    const match = matchRoute(routes, location.pathname)
    if (match === undefined) throw new Error(`No route for ${location.pathname}`)
    const { route, params } = match
    const finish = (shown: Pick<RouterState, 'Page' | 'error'>) => {
      if (turn !== latest) return
      if (change !== 'none') history[change](location)
      set({ location, params, isLeaving: false, ...shown })
    }
    const program = loaded.get(route) ?? route.load()
    if (!(program instanceof Promise)) {
      finish({ Page: program })
      return
    }
    set({ ...state, isLeaving: true })
    program.then(
      (Page) => {
        loaded.set(route, Page)
        finish({ Page })
      },
      (error) => finish({ Page: undefined, error }),
    )
  }

  history.listen(() => show(history.read(), 'none'))
  show(state.location, 'none')
  return {
    base,
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    navigate(to, { replace = false } = {}) {
      if (typeof to === 'number') {
        history.go(to)
        return
      }
      const next = toLocation(to, state.location)
      show(next, replace || isSameLocation(next, state.location) ? 'replace' : 'push')
    },
  }
}
