import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noGoProxy } from '#test/registries/go-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gomodules } from './index.ts'

describe('a module that a folder of the repository replaces', () => {
  const cases: [why: string, module: string, version: string, reported: boolean][] = [
    ['a published module of another repository', 'registry.example/other/thing', 'v1.2.0', true],
    ['a module of the same repository', 'registry.example/me/app/api', 'v1.2.0', false],
    ['a module that was never published', 'registry.example/other/thing', 'v0.0.0', false],
  ]
  for (const [why, module, version, isReported] of cases) {
    test(`${why}: ${isReported ? 'reported as a fork' : 'code of the project itself'}`, async () => {
      const manifest = {
        target: `module registry.example/me/app\n\ngo 1.20\n\nrequire ${module} ${version}\n\nreplace ${module} => ./fork\n`,
        additional: [`module ${module}\n\ngo 1.20\n`],
        places: { target: 'go.mod', additional: ['fork/go.mod'] },
      }
      const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
      const { unresolved } = await gomodules.read(manifest, registriesOf({ go: noGoProxy }), options)
      assert.deepEqual(
        unresolved.filter(({ name }) => name === module).map(({ range, code, reason }) => [range, code, reason]),
        isReported
          ? [
              [
                version,
                'not-from-registry',
                'It is replaced by the folder fork, which was not compared with the advisories of this version',
              ],
            ]
          : [],
      )
    })
  }
})
