import { buildConsoleIfStale } from './build-console.ts'
import { buildDocumentationIfStale } from './documentation/build.ts'

/** Builds the console and the documentation before `npm start`. Never fails: the server works without them. */
for (const [name, build] of [
  ['web console', buildConsoleIfStale],
  ['documentation', buildDocumentationIfStale],
] as const) {
  try {
    await build()
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n')
    console.log(`The ${name} was not built, the server starts without it: ${reason}`)
  }
}
