import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))
const server = process.env['GATEHOUSE_DEV_SERVER'] ?? 'http://127.0.0.1:7331'

/** Removes the library's color variables that the console never uses: a quarter of the sheet. */
const withoutUnusedColors: Plugin = {
  name: 'without-unused-colors',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('default-css-variables.css')) return undefined
    return code.replaceAll(/--mantine-color-(pink|grape|violet|indigo|cyan|lime|teal|blue)-[\w-]+:[^;]*;/g, '')
  },
}

/** Removes operations that the console never uses from the client's table of paths: half of them. */
const withoutUnusedPaths: Plugin = {
  name: 'without-unused-paths',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('client/api/paths.generated.ts')) return undefined
    const sources = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['dist*/**', 'testing/**', '**/*.test.*'] })
    const text = sources.map((path) => readFileSync(`${folder}${path}`, 'utf8')).join('\n')
    return code.replaceAll(/^ {2}'(\w+)': \[.*\n/gm, (line, operation: string) =>
      text.includes(`'${operation}'`) ? line : '',
    )
  },
}

/** Hooks of the library that the first page does not use. */
const laterHooks = [
  'click-outside',
  'debounced-callback',
  'debounced-value',
  'focus-return',
  'focus-trap',
  'force-update',
  'long-press',
  'mutation-observer',
  'previous',
  'shallow-effect',
  'timeout',
  'window-event',
]
const baseComponents = 'Paper|VisuallyHidden|Transition|Group|Title|ActionIcon'
const base = new RegExp(
  `@mantine/(hooks/(?!.*use-(${laterHooks.join('|')}))|core/esm/(core(?!/utils/(create-scoped-keydown-handler|find-element-in-shadow-dom))|components/(${baseComponents}))/)`,
)

export default defineConfig(({ command }) => ({
  root: folder,
  // Built files use relative paths; the server writes the base path into the page.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), withoutUnusedColors, withoutUnusedPaths],
  // The server puts a fresh nonce here into each answer (src/features/console).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Read by the weight test; the server does not serve it.
    manifest: 'manifest.json',
    // Nothing inline: the page's content policy refuses data URLs.
    assetsInlineLimit: 0,
    // One sheet: its order decides, and what pages add to it is little.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The server takes letters, digits, dots and dashes; the names of shared parts would tell all that use them.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('parts') ? 'parts' : name}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            // The base of most components; otherwise it would be in the file of dialogs, which need it too.
            { name: 'parts-base', test: base, priority: 2 },
            // A file of its own: a class must not be in another file than the one it extends if the files import each other.
            { name: 'parts-app', test: /node_modules\/@tanstack\//, priority: 1 },
            // The same for a component and the class names that it reads when it loads.
            { name: 'parts-dialog', test: /@mantine\/core\/esm\/components\/Modal(Base)?\//, priority: 1 },
            // Otherwise what the sign-in shares with pages would bring their queries.
            {
              name: 'parts-sign-in',
              test: /web\/(pages\/sign-in|components\/second-factors|shell\/auth-frame|api\/passkeys|ui\/(secret-once|copy-button))/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // The same for lists of issues, whose bulk actions need it later.
            {
              name: 'parts-ignores',
              test: /web\/pages\/place\/ignores\/(fields|ignore-form|ignores-table|path-choice|words)/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // Small and on most pages: the files of what they are merged with would be loaded with them.
            {
              name: 'parts-words',
              test: /web\/(api\/projects|components\/note|ui\/(badge|files|charts\/days|local-time|path-text|relative-time|segments|state-badge|words))/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            {
              name: 'parts-section',
              test: /web\/ui\/(facts|section)/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // The same for filters and the table of issues, which the overview would load with parts that it shares.
            {
              name: 'parts-filters',
              test: /web\/(hooks\/(live-filters|selection)|components\/folded-filters)/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            {
              name: 'parts-issues',
              test: /web\/pages\/place\/issues\/group-/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // What pages share: without this it would be in fifty files, many of a few hundred bytes.
            { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2_500 },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/rest', '/v1', '/docs', '/healthz', '/readyz'].map((path) => [path, server])) },
}))
