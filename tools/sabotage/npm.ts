import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'lodash', version: '4.17.4' }
const DOCS = "npm's documentation, package.json"

interface PackageJson {
  readonly [member: string]: unknown
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Adds members to package.json; the project keeps its own dependencies and loses its lock, which would not know of them. */
function declare(
  name: string,
  change: (json: PackageJson) => PackageJson,
  tool: Spelling['tool'] = 'installs',
): Spelling {
  return {
    name,
    source: DOCS,
    tool,
    plant({ 'package.json': text, ...others }: ProjectFiles) {
      const { 'package-lock.json': _, ...rest } = others
      return { ...rest, 'package.json': JSON.stringify(change(JSON.parse(text!) as PackageJson)) }
    },
  }
}

function asking(name: string, range: string, tool: Spelling['tool'] = 'installs'): Spelling {
  return declare(name, (json) => ({ ...json, dependencies: { ...json.dependencies, lodash: range } }), tool)
}

export const npm: Sabotage = {
  ecosystem: 'npm',
  hidden,
  target: 'package.json',
  base: { 'package.json': '{"name":"project","version":"1.0.0"}' },
  spellings: [
    asking('exact version', '4.17.4'),
    asking('exact version with v', 'v4.17.4'),
    asking('exact version with =', '=4.17.4'),
    asking('exact version with = and v', '=v4.17.4'),
    asking('white space around the version', '  4.17.4 '),
    asking('hyphen range', '4.17.3 - 4.17.4'),
    asking('two bounds', '>=4.17.4 <4.17.5'),
    asking('bounds with white space', '>= 4.17.4 <= 4.17.4'),
    asking('alternatives', '99 || 4.17.4'),
    asking('build metadata', '4.17.4+build'),
    asking('alias of itself', 'npm:lodash@4.17.4'),
    declare('alias under another name', (json) => ({
      ...json,
      dependencies: { ...json.dependencies, harmless: 'npm:lodash@4.17.4' },
    })),
    declare('alias with a scope', (json) => ({
      ...json,
      dependencies: { ...json.dependencies, '@scope/harmless': 'npm:lodash@4.17.4' },
    })),
    declare('optional dependency', (json) => ({ ...json, optionalDependencies: { lodash: '4.17.4' } })),
    declare('peer dependency', (json) => ({ ...json, peerDependencies: { lodash: '4.17.4' } })),
    declare('optional wins over required', (json) => ({
      ...json,
      dependencies: { ...json.dependencies, lodash: '4.17.21' },
      optionalDependencies: { lodash: '4.17.4' },
    })),
    declare('override of a direct dependency through a reference', (json) => ({
      ...json,
      dependencies: { ...json.dependencies, lodash: '4.17.4' },
      overrides: { lodash: '$lodash' },
    })),
    {
      name: 'member written with an escape',
      source: 'RFC 8259 §7',
      tool: 'installs',
      plant: () => ({
        'package.json': '{"name":"project","version":"1.0.0","dep\\u0065ndencies":{"lod\\u0061sh":"4.17.4"}}',
      }),
    },
    {
      name: 'dependencies written twice, the last wins',
      source: 'RFC 8259 §4',
      tool: 'installs',
      plant: () => ({
        'package.json':
          '{"name":"project","version":"1.0.0","dependencies":{"lodash":"4.17.21"},"dependencies":{"lodash":"4.17.4"}}',
      }),
    },
    {
      name: 'byte order mark',
      source: "npm's JSON reader strips it",
      tool: 'installs',
      plant: () => ({
        'package.json': '\uFEFF{"name":"project","version":"1.0.0","dependencies":{"lodash":"4.17.4"}}',
      }),
    },
  ],
  async ask(folder, { name, version }) {
    const run = promisify(execFile)
    try {
      await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: folder,
      })
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') throw error
      return 'refuses'
    }
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string; name?: string }>
    }
    const installed = Object.entries(lock.packages).map(([path, entry]) => ({
      name: entry.name ?? path.replace(/^.*node_modules\//, ''),
      version: entry.version,
    }))
    return installed.some((each) => each.name === name && each.version === version) ? 'installs' : 'ignores'
  },
}
