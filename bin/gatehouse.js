#!/usr/bin/env node
// Plain JavaScript without static imports: an older Node must get as far as the refusal, and the first file is stripped
// of types before anything can be kept between starts, with a tool that takes 60 ms to load.
const NEEDED = 24

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    `Gatehouse requires Node ${NEEDED} or newer. This is Node ${process.versions.node} (${process.execPath}). Install Node ${NEEDED}, or put its folder first on the PATH.`,
  )
  process.exitCode = 2
} else {
  const { enableCompileCache } = await import('node:module')
  const { fileURLToPath } = await import('node:url')
  const cache = fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url))
  enableCompileCache(cache)
  // The threads that test packages read it from here.
  process.env.NODE_COMPILE_CACHE ??= cache
  await import('../src/main.ts')
}
