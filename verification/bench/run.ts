import { benchCommandLine } from './command-line.ts'
import { benchEcosystems } from './ecosystems.ts'
import { benchFirstLoad } from './first-load.ts'
import { benchHostileBodies } from './hostile-bodies.ts'
import { benchPackageTests } from './package-tests.ts'
import { benchPinnedRequirements } from './pinned-requirements.ts'
import { benchProjects } from './projects.ts'
import { benchStart } from './start.ts'
import { benchTokens } from './tokens.ts'

const sections: Record<string, () => Promise<void>> = {
  start: benchStart,
  'command-line': benchCommandLine,
  'package-tests': benchPackageTests,
  ecosystems: benchEcosystems,
  'pinned-requirements': benchPinnedRequirements,
  projects: benchProjects,
  tokens: benchTokens,
  'hostile-bodies': benchHostileBodies,
  'first-load': benchFirstLoad,
}

const names = process.argv.slice(2)
for (const name of names)
  if (!Object.hasOwn(sections, name))
    throw new Error(`There is no section ${name}. Choose from ${Object.keys(sections).join(', ')}.`)
for (const [name, run] of Object.entries(sections)) if (names.length === 0 || names.includes(name)) await run()
