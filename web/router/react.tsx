import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import type { Location } from './history.ts'
import type { Router, RouterState } from './router.ts'

const RouterContext = createContext<{ readonly router: Router; readonly state: RouterState } | undefined>(undefined)

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [state, setState] = useState(router.read)
  useEffect(() => {
    // A transition keeps the present page visible while parts of the next one are being fetched.
    const update = () => startTransition(() => setState(router.read()))
    update()
    return router.subscribe(update)
  }, [router])
  const value = useMemo(() => ({ router, state }), [router, state])
  return <RouterContext value={value}>{children}</RouterContext>
}

function useRouter() {
  const router = use(RouterContext)
  if (router === undefined) throw new Error('This component needs a RouterProvider around it')
  return router
}

export function useRouterState(): RouterState {
  return useRouter().state
}

export function useLocation(): Location {
  return useRouter().state.location
}

/** Returns the parameters in the address's path, decoded. */
export function useParams(): Partial<RouterState['params']> {
  return useRouter().state.params
}

/** Returns a function that goes to an address, or back by some steps. */
export function useNavigate(): Router['navigate'] {
  return useRouter().router.navigate
}

type SearchInput = ConstructorParameters<typeof URLSearchParams>[0]

/** Returns the parameters of the query, and a function that replaces them all. */
export function useSearchParams(): [
  URLSearchParams,
  (next: SearchInput, options?: { readonly replace?: boolean }) => void,
] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const parameters = useMemo(() => new URLSearchParams(search), [search])
  const set = useCallback(
    (next: SearchInput, options?: { readonly replace?: boolean }) => navigate(`?${new URLSearchParams(next)}`, options),
    [navigate],
  )
  return [parameters, set]
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string
  readonly replace?: boolean
}

/** A link to a page of the console. Modifier keys and mouse buttons that open another tab work as usual. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const { router, state } = useRouter()
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const isPlain = !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (event.defaultPrevented || event.button !== 0 || !isPlain || (rest.target ?? '_self') !== '_self') return
    event.preventDefault()
    router.navigate(to, { replace })
  }
  const path = to.startsWith('?') || to.startsWith('#') ? `${state.location.pathname}${to}` : to
  return <a {...rest} href={`${router.base}${path}`} onClick={follow} />
}
