import { afterEach } from 'node:test'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render as renderBare } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { SessionProvider } from '../hooks/session.tsx'
import { cssVariables, theme } from '../ui/theme.ts'

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
  const router = createMemoryRouter(
    [
      { path: route, element: component },
      { path: '*', element: 'Another page' },
    ],
    {
      initialEntries: [at],
    },
  )
  const rendered = renderBare(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <SessionProvider>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SessionProvider>
    </MantineProvider>,
  )
  return {
    ...rendered,
    user: userEvent.setup(),
    /** The address that the component stands at now. */
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
    goBack: () => router.navigate(-1),
  }
}
