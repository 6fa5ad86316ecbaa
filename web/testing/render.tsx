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
  // Prints the document at the end of the wait, not with each look at it.
  getElementError: (message, container) =>
    isWaiting() ? new Error(message ?? '') : getElementError(message, container),
})

/** Returns true while the library waits for an element; it knows that itself, but does not publish it. */
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
  /** The addresses at which the component stays. */
  readonly route?: string
  /** The pages at other addresses; by default one that says that it is another. */
  readonly others?: readonly Route[]
  /** Milliseconds for which answers are not read again by the next page; default 0. */
  readonly staleTime?: number
}

const anotherPage: readonly Route[] = [{ path: '*', load: () => AnotherPage }]

/** Renders a component inside what every page of the console has around it. */
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
    /** The address that the component stands at now. */
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
 * A user who enters a text in one step, as from a password manager: each letter would render the page again, which is a
 * tenth of the time of these tests. Named keys, such as {Enter}, are pressed after the text.
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
