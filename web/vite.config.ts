import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env['GATEHOUSE_DEV_SERVER'] ?? 'http://127.0.0.1:7331'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  // The server puts a fresh nonce here into each answer (src/features/console).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing inline: the page's content policy refuses data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(['/rest', '/v1', '/docs', '/healthz', '/readyz'].map((path) => [path, server])) },
})
