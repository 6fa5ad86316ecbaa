#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Stripped and compiled code is kept between starts (a third of the start time), in a folder that belongs to whoever
// installed the product: the default one, in the system's temporary folder, could be filled by another user.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url)))

const { resolveQuickly } = await import('./quick-resolution.ts')
resolveQuickly()
const { runProgram } = await import('./commands/program.ts')
await runProgram(process.argv)
