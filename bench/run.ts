import { benchCommandLine } from './command-line.ts'
import { benchEcosystems } from './ecosystems.ts'
import { benchFairness } from './fairness.ts'
import { benchFirstLoad } from './first-load.ts'
import { benchHostileBodies } from './hostile-bodies.ts'
import { benchImports } from './imports.ts'
import { benchList } from './list.ts'
import { benchPackageTests } from './package-tests.ts'
import { benchPinnedRequirements } from './pinned-requirements.ts'
import { benchProjects } from './projects.ts'
import { benchStart } from './start.ts'
import { benchTokens } from './tokens.ts'

const sections: Record<string, () => Promise<void>> = {
  start: benchStart,
  'command-line': benchCommandLine,
  list: benchList,
  'package-tests': benchPackageTests,
  fairness: benchFairness,
  ecosystems: benchEcosystems,
  'pinned-requirements': benchPinnedRequirements,
  projects: benchProjects,
  imports: benchImports,
  tokens: benchTokens,
  'hostile-bodies': benchHostileBodies,
  'first-load': benchFirstLoad,
}

const wanted = process.argv.slice(2)
for (const name of wanted)
  if (!Object.hasOwn(sections, name))
    throw new Error(`no such section: ${name}; there are ${Object.keys(sections).join(', ')}`)
for (const [name, run] of Object.entries(sections)) if (wanted.length === 0 || wanted.includes(name)) await run()
