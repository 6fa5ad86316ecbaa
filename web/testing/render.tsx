import { afterEach } from 'node:test'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render as renderBare } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { createContext, type ReactNode, use } from 'react'
import { SessionProvider } from '../hooks/session.tsx'
import { RouterProvider, useRouterState } from '../router/react.tsx'
import { createRouter } from '../router/router.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { memoryHistory } from './memory-history.ts'
import { stopOwnerStacks } from './owner-stacks.ts'

stopOwnerStacks()
// A slow machine must not fail a test that waits.
configure({ asyncUtilTimeout: 180_000 })

afterEach(() => {
  cleanup()
  sessionStorage.clear()
  localStorage.clear()
})

/** Renders a component inside what every page of the console has around it. */
export function render(component: ReactNode, { at = '/', route = '/*' }: { at?: string; route?: string } = {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createRouter({
    routes: [
      { path: route, load: () => Tested },
      { path: '*', load: () => AnotherPage },
    ],
    history: memoryHistory(at),
  })
  const rendered = renderBare(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
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
    goBack: () => router.navigate(-1),
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
