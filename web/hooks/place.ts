import { useQuery } from '@tanstack/react-query'
import { createContext, useEffect, useRef } from 'react'
import { call } from '../api/client.ts'
import { cursorOf, type Listed, listPlaces } from '../api/places.ts'
import type { ConsoleScope } from '../navigation/paths.ts'
import { withParameters } from '../router/history.ts'
import { useLocation, useNavigate, useParams, useSearchParams } from '../router/react.tsx'

export function usePlaces() {
  return useQuery({ queryKey: ['places'], queryFn: listPlaces, staleTime: 60_000 })
}

export function useSelf() {
  return useQuery({ queryKey: ['self'], queryFn: async () => (await call('getSelf', {})).data, staleTime: 60_000 })
}

/** The place of the navigation, also on pages whose address has none. */
export const PlaceContext = createContext<ConsoleScope | undefined>(undefined)

/** Returns the organization or group in the address, if any. */
export function useFoundPlace(): ConsoleScope | undefined {
  const { pathname } = useLocation()
  const match = /^\/(orgs|groups)\/([^/]+)/.exec(pathname)
  return match ? { kind: match[1] as ConsoleScope['kind'], id: decodeURIComponent(match[2]!) } : undefined
}

/** Returns the place of a page whose address always has one. */
export function usePlace(): ConsoleScope {
  const { placeId = '' } = useParams()
  const current = useFoundPlace()
  return current ?? { kind: 'orgs', id: placeId }
}

/** Returns the item that is open on a page, which is part of the address, so that the address can be shared. */
export function useOpened() {
  const [parameters, setParameters] = useSearchParams()
  function open(name: string | undefined, { replace = true } = {}) {
    setParameters(withParameters(parameters, { open: name }), { replace })
  }
  return { opened: parameters.get('open') ?? undefined, open }
}

/**
 * The same for a drawer, which the browser's back button closes. Closing it goes back too if the previous history entry
 * is the same page without the drawer; before an address that was opened with a drawer there may be another page.
 */
export function useDrawer() {
  const { opened, open } = useOpened()
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  /** The query of the previous history entry without a drawer. */
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (opened === undefined) before.current = undefined
  }, [opened])

  function show(name: string | undefined) {
    const others = withParameters(parameters, { open: undefined })
    const isOpening = opened === undefined && name !== undefined
    if (name === undefined && before.current === `${others}`) navigate(-1)
    else open(name, { replace: !isOpening })
    if (isOpening) before.current = `${others}`
    if (name === undefined) before.current = undefined
  }
  return { opened, open: show }
}

/** The changes of an address that lead to the first page of its list. */
const first = { after: undefined, before: undefined }

/** Returns the page of a list, which is part of the address, so that the browser's back button also turns pages. */
export function usePageOfList() {
  const [parameters, setParameters] = useSearchParams()
  const cursor = (name: string) => parameters.get(name) ?? undefined

  function turnTo(name: 'after' | 'before', value: string | undefined) {
    if (value === undefined) return undefined
    return () => setParameters(withParameters(parameters, { ...first, [name]: value }))
  }

  const isFirst = !parameters.has('after') && !parameters.has('before')
  function toFirst() {
    if (!isFirst) setParameters(withParameters(parameters, first))
  }

  return {
    isFirst,
    toFirst,
    query: { limit: 20, starting_after: cursor('after'), ending_before: cursor('before') },
    turns: (links: Listed<unknown>['links'] | undefined) => ({
      onPrevious: turnTo('before', cursorOf(links?.prev, 'ending_before')),
      onNext: turnTo('after', cursorOf(links?.next, 'starting_after')),
    }),
  }
}

/** Returns the number of filters in effect, not counting the order. */
export function countActive(filters: Readonly<Record<string, string | undefined>>): number {
  return Object.entries(filters).filter(([name, value]) => name !== 'sort' && value !== undefined).length
}

/**
 * Returns the filters of a list, which are part of the address, so that it can be shared. Applying them turns to the
 * first page and keeps the fixed parameters.
 */
export function useFilters<Name extends string>(names: readonly Name[], fixed: Readonly<Record<string, string>> = {}) {
  const [parameters, setParameters] = useSearchParams()
  const filters = Object.fromEntries(
    names.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name)]] : [])),
  ) as { readonly [N in Name]?: string }
  const apply = (changes: { readonly [N in Name]?: string | undefined }) =>
    setParameters([
      ...Object.entries(fixed),
      ...Object.entries(changes).filter((entry): entry is [Name, string] => Boolean(entry[1])),
    ])
  return { filters, apply }
}
