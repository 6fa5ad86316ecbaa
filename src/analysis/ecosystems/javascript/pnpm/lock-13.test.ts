import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pnpm } from './index.ts'

/** A workspace as pnpm 12 writes it with `lockfile.format: v13`. */
const lock = `{
	"lockfileVersion": "13.0",

	"settings": {
		"autoInstallPeers": true,
		"catalogs": {
			"default": {
				"exact": "1.0.0",
				"host": {
					"specifier": "^1.0.0",
					"version": "1.5.0",
				},
			},
		},
		"overrides": {
			"deep": "2.0.0",
		},
	},

	"projects": {
		".": {
			"dependencies": {
				"alias": "npm:real@3.0.0",
				"exact": "catalog:",
				"host": "catalog:",
				"lib": "workspace:*",
				"ranged": {
					"specifier": "^4.0.0",
					"version": "4.1.0",
				},
				"scoped": "work:5.0.0",
			},
			"devDependencies": {
				"tool": "6.0.0",
			},
			"optionalDependencies": {
				"extra": "7.0.0",
			},
		},

		"packages/lib": {
			"name": "lib",
			"dependencies": {
				"host": "2.0.0",
				"plugin": "8.0.0",
			},
			"devDependencies": {
				"copied": "workspace:*",
			},
		},
	},

	"packages": {
		"copied@file:packages/copied": {
			"dependencies": {
				"deep": "2.0.0",
			},
		},

		"deep@2.0.0": {
			"integrity": "sha512-deep==",
		},

		"exact@1.0.0": {
			"integrity": "sha512-exact==",
		},

		"extra@7.0.0": {
			"integrity": "sha512-extra==",
			"optional": true,
		},

		"host@1.5.0": {
			"integrity": "sha512-host1==",
		},

		"host@2.0.0": {
			"integrity": "sha512-host2==",
		},

		"plugin@8.0.0": {
			"integrity": "sha512-plugin==",
			"peerDependencies": {
				"host": "*",
				"other": {
					"specifier": ">=1",
					"optional": true,
				},
			},
			"dependencies": {
				"deep": "2.0.0",
			},
			"snapshots": [
				{
					"peerDependencies": {
						"host": {
							"version": "1.5.0",
						},
					},
				},
				{
					"peerDependencies": {
						"host": {
							"version": "2.0.0",
						},
					},
				},
			],
		},

		"ranged@4.1.0": {
			"integrity": "sha512-ranged==",
			"optionalDependencies": {
				"extra": "7.0.0",
			},
		},

		"real@3.0.0": {
			"integrity": "sha512-real==",
			"bundledDependencies": ["packed"],
		},

		"scoped@work:5.0.0": {
			"integrity": "sha512-scoped==",
		},

		"tool@6.0.0": {
			"resolution": {"tarball": "https://registry.example/tool/-/tool-6.0.0.tgz"},
			"integrity": "sha512-tool==",
		},
	},
}
`

const everything = [
  'deep@2.0.0',
  'exact@1.0.0',
  'extra@7.0.0',
  'host@1.5.0',
  'host@2.0.0',
  'plugin@8.0.0',
  'ranged@4.1.0',
  'real@3.0.0',
  'scoped@5.0.0',
]

async function read(files: readonly [string, ...string[]], includeDev = false) {
  const options = { includeDev, repositories: [], limits: { maxNodes: 100 } }
  const [target, ...additional] = files
  const { graph, unresolved, filesRead, excluded } = await pnpm.read({ target, additional }, noRegistries, options)
  const labels = graph.nodes.map(({ package: { name, version } }) => `${name}@${version}`)
  return {
    packages: labels.slice(1).sort(),
    edges: graph.nodes.flatMap(({ edges }, at) =>
      edges.map(({ to, kind }) => `${at === 0 ? 'project' : labels[at]} ${kind} ${labels[to]}`),
    ),
    open: unresolved.map(({ code, name }) => `${code} ${name}`),
    filesRead,
    excluded,
  }
}

describe('pnpm-lock.yaml of version 13', () => {
  test('lock 13: projects are read with the versions of their ranges, catalogs and aliases', async () => {
    const { packages, open, filesRead, excluded } = await read([lock])
    assert.deepEqual(packages, everything)
    assert.deepEqual(open, ['not-from-registry packed'])
    assert.deepEqual(filesRead, ['pnpm-lock.yaml (lockfileVersion 13.0)'])
    assert.deepEqual(excluded, [{ reason: 'dev', packages: 2 }])
  })

  test('lock 13: development dependencies are read on request, and injected projects are copies', async () => {
    const { packages, open } = await read([lock], true)
    assert.deepEqual(packages, ['copied@file:packages/copied', ...everything, 'tool@6.0.0'].sort())
    assert.deepEqual(open, ['not-from-registry packed', 'not-from-registry copied'].sort())
  })

  test('lock 13: a package has the peers of all its sets', async () => {
    const { edges } = await read([lock])
    assert.deepEqual(
      edges.filter((edge) => edge.startsWith('plugin')),
      ['plugin@8.0.0 prod deep@2.0.0', 'plugin@8.0.0 peer host@1.5.0', 'plugin@8.0.0 peer host@2.0.0'],
    )
  })

  test('lock 13: package.json is compared with the ranges of the lock', async () => {
    const dependencies = {
      alias: 'npm:real@3.0.0',
      exact: 'catalog:',
      host: 'catalog:',
      lib: 'workspace:*',
      ranged: '^4.0.0',
      scoped: 'work:5.0.0',
    }
    const project = {
      name: 'p',
      dependencies,
      devDependencies: { tool: '6.0.0' },
      optionalDependencies: { extra: '7.0.0' },
    }
    assert.deepEqual((await read([JSON.stringify(project), lock])).open, ['not-from-registry packed'])
    const changed = { ...project, dependencies: { ...dependencies, ranged: '^5.0.0' } }
    assert.deepEqual((await read([JSON.stringify(changed), lock])).open, [
      'not-in-lockfile ranged',
      'not-from-registry packed',
    ])
  })

  test('lock 13: catalogs and overrides of pnpm-workspace.yaml are compared with those of the lock', async () => {
    const project = JSON.stringify({ name: 'p', dependencies: { exact: 'catalog:', host: 'catalog:' } })
    const settings = (exact: string, deep: string) =>
      `packages:\n  - packages/*\ncatalog:\n  exact: ${exact}\n  host: ^1.0.0\noverrides:\n  deep: ${deep}\n`
    const openWith = async (text: string) =>
      (await read([project, lock, text])).open.filter((problem) => /exact|deep/.test(problem))
    assert.deepEqual(await openWith(settings('1.0.0', '2.0.0')), [])
    assert.deepEqual(await openWith(settings('1.0.1', '2.0.1')), ['not-in-lockfile deep', 'not-in-lockfile exact'])
  })

  test('lock 13: a range without a locked version is reported', async () => {
    const damaged = lock.replace('"exact": "1.0.0"', '"exact": "1.0.1"').replace('"name": "lib",', '')
    const { open } = await read([damaged])
    assert.deepEqual(open.slice(0, 2), ['not-in-lockfile exact', 'not-in-lockfile lib'])
  })

  test('lock 13: the document before it and the notation of YAML are read', async () => {
    const own = `lockfileVersion: '9.0'\nimporters:\n  .:\n    configDependencies:\n      hooks: {specifier: 1.0.0, version: 1.0.0}\npackages:\n  hooks@1.0.0:\n    resolution: {integrity: sha512-h==}\nsnapshots:\n  hooks@1.0.0: {}\n`
    const { packages } = await read([`---\n${own}\n---\n${lock}`], true)
    assert.deepEqual(packages, ['copied@file:packages/copied', ...everything, 'hooks@1.0.0', 'tool@6.0.0'].sort())
    const yaml = `lockfileVersion: '13.0'\nprojects:\n  .:\n    dependencies:\n      a: 1.0.0\npackages:\n  a@1.0.0:\n    integrity: sha512-a==\n`
    assert.deepEqual((await read([yaml])).packages, ['a@1.0.0'])
  })

  test('lock 13: without a manifest, direct dependencies are located in the lock', async () => {
    const declarations = await pnpm.locate!({ target: lock, additional: [] })
    const line = lock.split('\n').findIndex((line) => line.includes('"ranged": {')) + 1
    assert.deepEqual(
      declarations
        .filter(({ name }) => name === 'ranged')
        .map((declaration) => [declaration.line, declaration.fileName]),
      [[line, 'pnpm-lock.yaml']],
    )
  })
})
