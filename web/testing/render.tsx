import { afterEach } from 'node:test'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, getConfig, render as renderBare } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { createContext, type ReactNode, use } from 'react'
import { SessionProvider } from '../hooks/session.tsx'
import type { Route } from '../router/match.ts'
import { RouterProvider, useRouterState } from '../router/react.tsx'
import { createRouter } from '../router/router.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { memoryHistory } from './memory-history.ts'
import { stopOwnerStacks } from './owner-stacks.ts'

stopOwnerStacks()
const { getElementError } = getConfig()

configure({
  // A slow machine must not fail a test that waits.
  asyncUtilTimeout: 180_000,
  // Prints the document only at the end of the wait, not with each poll.
  getElementError: (message, container) =>
    isWaiting() ? new Error(message ?? '') : getElementError(message, container),
})

/** Returns true while the library waits for an element, which it does not expose. */
function isWaiting(): boolean {
  return (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true
}

afterEach(() => {
  cleanup()
  sessionStorage.clear()
  localStorage.clear()
})

interface RenderOptions {
  readonly at?: string
  /** The route of the component. */
  readonly route?: string
  /** The pages at other addresses; by default one that identifies itself as another. */
  readonly others?: readonly Route[]
  /** Milliseconds for which cached answers count as fresh; default 0. */
  readonly staleTime?: number
}

const anotherPage: readonly Route[] = [{ path: '*', load: () => AnotherPage }]

/** Renders a component inside the providers of every console page. */
export function render(
  component: ReactNode,
  { at = '/', route = '/*', others = anotherPage, staleTime = 0 }: RenderOptions = {},
) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime } } })
  const history = memoryHistory(at)
  const router = createRouter({
    routes: [{ path: route, load: () => Tested }, ...others],
    history,
  })
  const rendered = renderBare(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      // Without style sheets nothing uses them, and the document would compute the style of each element again and again.
      withCssVariables={false}
      withGlobalClasses={false}
      env="test"
    >
      <SessionProvider>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router}>
            <TestedContext value={component}>
              <Shown />
            </TestedContext>
          </RouterProvider>
        </QueryClientProvider>
      </SessionProvider>
    </MantineProvider>,
  )
  return {
    ...rendered,
    user: createUser(),
    /** The current address of the component. */
    address: () => {
      const { pathname, search } = router.read().location
      return `${pathname}${search}`
    },
    goTo: (path: string) => router.navigate(path),
    goBack: () => router.navigate(-1),
    /** Returns the number of addresses in the history, forward ones included. */
    entries: history.entries,
  }
}

/**
 * A user who enters a text in one step, as a password manager does: rendering the page for each letter takes a tenth of
 * the time of these tests. Named keys, such as {Enter}, are pressed after the text.
 */
function createUser(): UserEvent {
  const user = userEvent.setup()
  const type: UserEvent['type'] = async (element, text) => {
    const [, plain = '', keys = ''] = /^([^{[]*)(.*)$/s.exec(text) ?? []
    await user.click(element)
    if (plain !== '') await user.paste(plain)
    if (keys !== '') await user.keyboard(keys)
  }
  return { ...user, type }
}

const TestedContext = createContext<ReactNode>(null)

function Tested() {
  return use(TestedContext)
}

function Shown() {
  const { Page } = useRouterState()
  return Page && <Page />
}

function AnotherPage() {
  return 'Another page'
}
