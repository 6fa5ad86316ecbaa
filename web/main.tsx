import './ui/styles.ts'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthGate } from './app/auth-gate.tsx'
import { printInLightColors } from './app/print-colors.ts'
import { SessionProvider } from './hooks/session.tsx'
import { keepEarlyKeys } from './search/typed-keys.ts'
import { cssVariables, theme } from './ui/theme.ts'

keepEarlyKeys()
printInLightColors()

// The server adds a nonce to the page; computed styles of components need it.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
Object.assign(globalThis, { __webpack_nonce__: nonce })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <SessionProvider>
        <AuthGate />
      </SessionProvider>
    </MantineProvider>
  </StrictMode>,
)
