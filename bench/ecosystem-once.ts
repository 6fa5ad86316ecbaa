/**
 * Tests one project, from the start of the process to its findings, like other programs:
 * `<ecosystem> <project> <snapshot> <digest>`; prints how many packages and matches there are.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { resolveQuickly } from '../src/composition/quick-resolution.ts'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url)))
resolveQuickly()
const [id = '', name = '', snapshot = '', digest = ''] = process.argv.slice(2)
const { getEcosystem } = await import('../src/analysis/ecosystems/index.ts')
const { distinctPackages, matchGraph } = await import('../src/analysis/findings/match-graph.ts')
const { openAdvisories } = await import('../src/scanning/advisories/open-advisories.ts')
const { openSnapshotFile } = await import('../src/scanning/advisories/snapshot-file.ts')
const { findProject, readOptions } = await import('./ecosystem-projects.ts')
const { plainRegistries } = await import('../tools/fuzz/plain-registries.ts')

const ecosystem = getEcosystem(id)
const { target, additional } = findProject(ecosystem, name)
const advisories = openAdvisories(openSnapshotFile(snapshot, digest))
const { graph } = await ecosystem.read({ target, additional }, plainRegistries, readOptions)
const packages = distinctPackages(graph)
const matches = matchGraph(packages, ecosystem, advisories.snapshot).flatMap((each) => each.matches)
console.log(JSON.stringify({ packages: packages.length, matches: matches.length }))
advisories.close()
