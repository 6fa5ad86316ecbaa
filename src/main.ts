#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Caches compiled code between starts (a third of the start time) in the installation's folder: another user could fill
// the default one in the system's temporary folder.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url)))

const { resolveQuickly } = await import('./composition/quick-resolution.ts')
resolveQuickly()
const { runProgram } = await import('./commands/program.ts')
await runProgram(process.argv)
